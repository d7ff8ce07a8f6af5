/* The form at "/": an image is uploaded, the problem is verified, and the viewer's page is shown in a frame of no origin. Text
   only ever becomes a text node or a field's value. */
"use strict";
const PROBLEM = "problem";
const byId = (id) => document.getElementById(id);
const form = byId("form");
let figure = null;
let shown = null;
let running = null;
/** What was mended on the page in the frame, as lines of a corrections.jsonl: the service keeps nothing. */
let corrections = [];

function showFigure(file) {
  figure = file;
  const preview = byId("preview");
  if (preview.src) URL.revokeObjectURL(preview.src);
  if (file) preview.src = URL.createObjectURL(file);
  else preview.removeAttribute("src");
  preview.hidden = byId("no-file").hidden = !file;
  byId("file-name").textContent = file ? file.name : "";
  if (!file) byId("file").value = "";
}

function addCandidate() {
  const list = byId("candidates");
  const box = document.createElement("div");
  box.className = "candidate";
  const text = document.createElement("textarea");
  text.rows = 4;
  text.setAttribute("aria-label", `Candidate ${list.childElementCount + 1}`);
  text.placeholder = "A solution, step by step";
  const remove = document.createElement("button");
  remove.type = "button";
  remove.className = "quiet";
  remove.textContent = "×";
  remove.setAttribute("aria-label", "Remove this candidate");
  remove.addEventListener("click", () => box.remove());
  box.append(text, remove);
  list.append(box);
  return text;
}

/* The figure is inside the page, since nothing may be loaded: a click fills the form and sends it. */
function showExample() {
  const { figure: data, question, candidates: texts } = JSON.parse(byId("example-data").textContent);
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  showFigure(new File([bytes], "example.png", { type: "image/png" }));
  byId("question").value = question;
  byId("options").value = "";
  byId("candidates").replaceChildren();
  for (const text of texts) addCandidate().value = text;
  form.requestSubmit();
}

function candidates() {
  return [...byId("candidates").querySelectorAll("textarea")].map((field) => field.value).filter((text) => text.trim());
}

async function asked(path, body, type, signal) {
  const key = byId("key").value.trim();
  const headers = { "content-type": type, ...(key ? { authorization: `Bearer ${key}` } : {}) };
  const answer = await fetch(path, { method: "POST", body, headers, signal, credentials: "omit" });
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  const again = answer.headers.get("retry-after");
  throw new Error(
    `${said.field ? `${said.field}: ` : ""}${said.message ?? `The service answered ${answer.status}`}${again ? ` (again in ${again} s)` : ""}`,
  );
}

async function verified(signal) {
  const problem = {
    id: PROBLEM,
    question: byId("question").value,
    options: byId("options").value.split("\n").map((line) => line.trim()).filter(Boolean),
    candidates: candidates(),
  };
  if (!problem.candidates.length) throw new Error("Paste at least one candidate solution.");
  if (figure) problem.image = (await (await asked("/v1/images", figure, "application/octet-stream", signal)).json()).id;
  return (await asked("/v1/page", JSON.stringify(problem), "application/json", signal)).blob();
}

function showPage(blob) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.title = "The evidence";
  const address = URL.createObjectURL(blob);
  frame.src = address;
  const result = byId("result");
  result.replaceChildren(frame);
  corrections = [];
  byId("corrections").hidden = true;
  result.focus({ preventScroll: true });
  if (matchMedia("(max-width: 900px)").matches) result.scrollIntoView(); // below the form, where nobody would look
  if (shown) URL.revokeObjectURL(shown);
  shown = address;
}

/** A fact mended in the frame: the service assesses it again, and the frame shows what comes back. */
async function mend(event) {
  const frame = byId("result").querySelector("iframe");
  const [port] = event.ports;
  if (!frame || event.source !== frame.contentWindow || event.data?.evpv !== "mend" || !port) return;
  const { trace, old } = event.data;
  const change = { trace, old, new: event.data.new };
  try {
    const answer = await (await asked("/v1/mend", JSON.stringify(change), "application/json")).json();
    const id = String(corrections.length + 1);
    corrections.push({ id, problem_id: trace.problem_id, who: "page", when: new Date().toISOString(), old, new: change.new });
    byId("corrections").hidden = false;
    byId("corrections").textContent = `Corrections (${id})`;
    port.postMessage({ answer: { ...answer, correction: { id, who: "" } } });
  } catch (error) {
    port.postMessage({ message: error.message });
  }
}

function saveCorrections() {
  const link = document.createElement("a");
  const lines = corrections.map((one) => `${JSON.stringify(one)}\n`);
  link.href = URL.createObjectURL(new Blob(lines, { type: "application/jsonl" }));
  link.download = "corrections.jsonl";
  link.click();
  URL.revokeObjectURL(link.href);
}

function busy(on) {
  byId("run").disabled = on;
  byId("stop").hidden = !on;
}

async function run(event) {
  event.preventDefault();
  if (running) return;
  const began = performance.now();
  running = new AbortController();
  busy(true);
  byId("problem").hidden = true;
  const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
  const clock = setInterval(() => { byId("status").textContent = `Reading and checking … ${seconds()}`; }, 100);
  try {
    showPage(await verified(running.signal));
    byId("status").textContent = `Done in ${seconds()}`;
  } catch (error) {
    byId("status").textContent = error.name === "AbortError" ? "Stopped." : "";
    byId("problem").textContent = error.message;
    byId("problem").hidden = error.name === "AbortError";
  } finally {
    running = null;
    clearInterval(clock);
    busy(false);
  }
}

const drop = byId("drop");
for (const name of ["dragenter", "dragover"])
  drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) showFigure(file);
});
document.addEventListener("paste", (event) => {
  const file = [...event.clipboardData.files].find((one) => one.type.startsWith("image/"));
  if (file) showFigure(file);
});
byId("file").addEventListener("change", (event) => showFigure(event.target.files[0] ?? null));
byId("no-file").addEventListener("click", () => showFigure(null));
byId("add").addEventListener("click", () => addCandidate().focus());
byId("example").addEventListener("click", showExample);
byId("stop").addEventListener("click", () => running.abort());
form.addEventListener("submit", run);
addEventListener("message", mend);
byId("corrections").addEventListener("click", saveCorrections);
addCandidate();
addCandidate();
