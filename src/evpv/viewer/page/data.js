/**
 * What the page is given, and how it gets at it.
 *
 * THE CONTRACT between this page and the Python that writes it (bundle.py, summaries.py).
 *
 * One JSON object in `<script type="application/json" id="evpv-data">`, every "<" in it written as \u003c:
 *
 *   {"schema": 2, "title": "evpv demo", "runs": [run, ...],                     one run, or two to compare
 *    "mending": "here" | "parent" | null}                                       whether facts can be mended, and who answers (mending.js);
 *                                                                               then an answer is a problem without images, plus "summary" and "correction"
 *
 *   run      {"name": "demo",
 *             "manifest": {the run's manifest.json, plus "date": "2026-11-16" | null; "method" is always there},
 *             "headline": {"problems": n, "candidates": n, "steps": n, "claims": n,
 *                          "right", "base_right", "majority", "judge_alone", "chance": share | null,    0 to 1, ties shared out
 *                          "changed": n problems whose best differs from base_best, "tied": n, "unchecked": n, "unread": n,
 *                          "verdicts": {"supported": n, "contradicted": n, "missing": n, "unparsed": n},
 *                          "premise_errors": n, "reasoning_errors": n,                                  steps, see faultOf in scoring.js and `fault` in words.py, at the run's own θ
 *                          "histograms": {"reliability": [20 counts], "score": [20 counts]}},           all candidates, bins of 0.05 over [0, 1], the last one closed
 *             "cost": {any name: number},                                                               summed over problems, names as in the traces
 *             "problems": [summary, ...],                                                               in the run's order
 *             "chunks": [{"first": 0, "count": 50, "src": "data/0000.js" | null, "inline": "evpv-0-0" | null}, ...]}
 *
 *   summary  {"id", "question" (cut at 200 characters), "thumbnail": data URI | relative path | null, "answer": text | null,
 *             "best": [ids], "answers": [the answers of the best, each once], "tied": true | false, "changed": other answers than base_best's,
 *             "base_best": [ids: the same rewards without the gate, same aggregation and selection],
 *             "right": true | false | null (unknown, or a tie of both), "base_right": the same under base_best,
 *             "verdicts": {"supported": n, ...}, "premise_errors": n, "reasoning_errors": n,
 *             "reliability": of the first | null (nothing checked), "score": of the first, "candidates": n,
 *             "checked": n candidates of which any claim was checked, "facts": n, "unread": why no fact was read | null}
 *
 *   problem  the trace's JSON exactly as in traces.jsonl, plus
 *            "images": [{"src": data URI | relative path, "width": px, "height": px}],
 *            "right": {candidate id: true | false | null},       whether its final answer is the known one
 *            "evidence": what scoring.js needs to re-score it (its own business; see summaries.py).
 *
 * A chunk is either `<script type="application/json" id="evpv-0-0">[problem, ...]</script>` in the page, or a classic script
 * beside it (so that it loads from file://, where fetch does not) that says
 *
 *   evpvChunk(0, 3, "[...]")         number of the run, number of the chunk, the JSON text of the list (or the list itself)
 *
 * index.html has five places: {{policy}} {{title}} {{style}} {{data}} {{script}}. bundle.py fills them in ONE pass (a question may
 * well say "{{script}}"): `title` escaped for HTML,
 * `style` = static/page.css, `script` = static/page.js, both verbatim, `data` = the script elements above. `policy` is
 *
 *   default-src 'none'; script-src 'sha256-HASH OF page.js' 'strict-dynamic'; style-src 'sha256-HASH OF page.css';
 *   img-src data: file: 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types evpv
 *
 * 'strict-dynamic' lets page.js, and nothing else, load chunks; its one Trusted Types policy passes only the chunk addresses
 * that the data names. Built files (static/page.js, page.css, index.html) carry in page.js's first line a digest of their
 * sources: see build.js.
 *
 * scoring.js exports
 *   assess(problem, settings) -> {candidates: [{id, reliability, score, steps: [{type, verdict, support, constraint, explanation,
 *                                               base_reward, gate, reward, reliability, uses, fault}]}],
 *                                 the fields of a trace's steps, and fault: "premise" | "reasoning" | null; candidates in the
 *                                 trace's order; given `evidence(problem)`, type, constraint and explanation are null
 *                                 ranking: {select, best, tied, order, values}}
 *   settingsOf(manifest)      -> settings that give the run's own numbers back: {gate, threshold, sharpness, aggregation,
 *                                decision, select}; claims stay matched as the run matched them
 *   GATES, AGGREGATIONS, SELECTIONS -> lists of names
 *   evidence(problem)         -> the least part of a problem that `assess` needs, kept in memory for a whole run (no texts)
 */
/* Python's words of the page (describe, first_bad_step, fault) are in src/evpv/viewer/summaries.py: count errors with `fault`. */

const KEPT_CHUNKS = 6;

/**
 * @typedef {object} Run
 * @property {string} name @property {any} manifest @property {any} headline @property {Record<string, number>} cost
 * @property {any[]} problems summaries @property {any[]} chunks
 * @property {number} number its place among the runs @property {Map<string, number>} places a problem's id → its place
 */

/** @returns {{title: string, mending: "here" | "parent" | null, runs: Run[]}} */
export function readData() {
  const data = JSON.parse(document.getElementById("evpv-data").textContent);
  data.runs.forEach((run, number) => {
    run.number = number;
    run.places = new Map(run.problems.map((summary, place) => [summary.id, place]));
  });
  return { title: data.title ?? document.title, mending: data.mending ?? null, runs: data.runs };
}

/** The full problem at a place of the run. @param {Run} run @param {number} place */
export async function problemAt(run, place) {
  const number = run.chunks.findIndex((chunk) => place >= chunk.first && place < chunk.first + chunk.count);
  if (number < 0) throw new Error(`no chunk holds problem ${place + 1}`);
  return (await chunkOf(run, number))[place - run.chunks[number].first];
}

/** Chunks read last, so that walking through a large run does not keep all of it. @type {Map<string, Promise<any[]>>} */
const kept = new Map();
/** Problems whose facts were mended since the page was written, by run and place. @type {Map<string, any>} */
const mended = new Map();
/** Chunks asked for and not yet come. @type {Map<string, (problems: any[]) => void>} */
const awaited = new Map();

/** Take over what the service made of a mended problem; its pictures stay. @param {Run} run @param {number} place @param {any} answer */
export async function takeMended(run, place, { summary, correction, ...trace }) {
  const fresh = flat({ images: (await problemAt(run, place)).images, ...trace });
  mended.set(`${run.number}/${place}`, fresh);
  kept.clear();
  run.problems[place] = { ...run.problems[place], ...summary };
  return fresh;
}

/** @param {Run} run @param {number} number @returns {Promise<any[]>} */
export function chunkOf(run, number) {
  const key = `${run.number}/${number}`;
  const { first } = run.chunks[number];
  const known = kept.get(key) ?? loaded(run, number, key).then((list) => list.map((one, at) => mended.get(`${run.number}/${first + at}`) ?? one));
  kept.delete(key);
  kept.set(key, known);
  if (kept.size > KEPT_CHUNKS) kept.delete(kept.keys().next().value);
  return known;
}

function loaded(run, number, key) {
  const { src, inline } = run.chunks[number];
  if (inline) return Promise.resolve(JSON.parse(document.getElementById(inline).textContent).map(flat));
  return new Promise((resolve, reject) => {
    awaited.set(key, (problems) => resolve(problems.map(flat)));
    const script = document.createElement("script");
    script.src = addresses().createScriptURL(src);
    script.addEventListener("load", () => script.remove());
    script.addEventListener("error", () => {
      kept.delete(key);
      script.remove();
      reject(new Error(`${src} is not beside this page: send the whole folder, or write the page with --embed`));
    });
    document.head.appendChild(script);
  });
}

/** What a problem asks lies beside its candidates for the views, as they read it all the time. */
function flat(problem) {
  const { question, options, answer, image } = problem.problem;
  return { ...problem, question, options, answer, image: image ?? null, unread: problem.extraction.problem };
}

globalThis.evpvChunk = (run, number, problems) => {
  const key = `${run}/${number}`;
  awaited.get(key)?.(typeof problems === "string" ? JSON.parse(problems) : problems);
  awaited.delete(key);
};

let policy = null;

/** The one place where a text may become the address of a script: only a file of a folder beside the page. */
function addresses() {
  const rules = {
    createScriptURL(address) {
      const parts = address.split("/");
      if (!/\.js$/.test(address) || parts.some((part) => part === "" || part === ".." || /[:\\]/.test(part)))
        throw new TypeError(`not a chunk of this page: ${address}`);
      return parts.map(encodeURIComponent).join("/");
    },
  };
  policy ??= globalThis.trustedTypes ? globalThis.trustedTypes.createPolicy("evpv", rules) : rules;
  return policy;
}

/**
 * Walk through all problems of a run, in slices that leave the page free to answer in between.
 * @param {Run} run @param {(problem: any, place: number) => void} visit @param {AbortSignal} [signal]
 */
export async function eachProblem(run, visit, signal) {
  let started = performance.now();
  for (let number = 0; number < run.chunks.length; number += 1) {
    const problems = await chunkOf(run, number);
    for (const [offset, problem] of problems.entries()) {
      if (signal?.aborted) return;
      visit(problem, run.chunks[number].first + offset);
      if (performance.now() - started > 30) {
        await breath();
        started = performance.now();
      }
    }
    await breath();
    started = performance.now();
  }
}

/** Let the browser draw and answer. */
export function breath() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(null);
  });
}
