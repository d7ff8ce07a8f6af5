/**
 * `npm run build`: the modules here become static/page.js and static/page.css, which ship in the package.
 *
 * page.js begins with a line `/*! evpv page, sources sha256:DIGEST *\/`. The digest is the SHA-256 over every source in the
 * order of their names: name, NUL, bytes, NUL. Sources are *.js, *.css, index.html, package.json, package-lock.json of this
 * folder. A test computes it again: if it differs, the built files are not those of these sources.
 */
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "..", "static");

function digest() {
  const hash = createHash("sha256");
  const sources = readdirSync(here).filter((name) => /\.(js|css)$|^index\.html$|^package(-lock)?\.json$/.test(name));
  for (const name of sources.sort())
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(here, name)))
      .update("\0");
  return hash.digest("hex");
}

mkdirSync(target, { recursive: true });
const shared = { bundle: true, minify: true, charset: "utf8", legalComments: "none", target: "es2022", write: false };
const script = await build({ ...shared, entryPoints: [join(here, "main.js")], format: "iife" });
const style = await build({ ...shared, entryPoints: [join(here, "page.css")] });
// A closing tag inside a string of ours would end the element that the script is put into.
const code = script.outputFiles[0].text.replaceAll(/<\/(script)/gi, "<\\/$1").replaceAll("<!--", "<\\!--");
writeFileSync(join(target, "page.js"), `/*! evpv page, sources sha256:${digest()} */\n${code}`);
writeFileSync(join(target, "page.css"), style.outputFiles[0].text);
copyFileSync(join(here, "index.html"), join(target, "index.html"));
const licence = readFileSync(join(here, "node_modules", "temml", "LICENSE"), "utf8");
writeFileSync(join(target, "NOTICE"), `page.js contains Temml (https://temml.org), which renders LaTeX:\n\n${licence}`);
