/** The pages of the guides and of the documents that the site has, with one menu; /docs/guides lists them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { html, raw } from "hono/html";
import { WARNINGS } from "../eidas/every-warning.ts";
import { VERDICTS } from "../eidas/verdicts.ts";
import { REASONS } from "../psp-check/every-reason.ts";
import {
  SIGNATURE_CURES,
  SIGNATURE_PROBLEMS,
  type SignatureProblemCode,
} from "../psp-check/signed-request/problems.ts";
import { escapeHtml } from "./code-block.ts";
import { GUIDE_SECTIONS, GUIDES, GUIDES_BESIDE, type Guide, readGuide } from "./guides.ts";
import { makeContent, slug } from "./markdown.ts";
import { type Markup, type Menu, makePage } from "./page.ts";
import { MOST_OPEN } from "./schema-fields.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The guide of versions has this part of the interface's document, in the place of the mark. */
const POLICY = {
  mark: "<!-- policy -->",
  file: "docs/interface.md",
  between: ["## Versions", "## Codes and tokens"],
} as const;

interface Document extends Guide {
  /** From the repository's root. */
  readonly file: string;
  /** The page has only what stands between these two lines of the file; the second is the next part's heading. */
  readonly between?: readonly [string, string];
  /** It has a table of many columns. */
  readonly wide?: boolean;
}

export const DOCUMENTS: readonly Document[] = [
  {
    name: "client",
    title: "Client for Node and Workers",
    about: "psp-gate-client: typed, without dependencies.",
    file: "src/client/README.md",
  },
  {
    name: "sandbox",
    title: "The sandbox's PSPs",
    about: "Each test PSP, and what is special about it.",
    file: "fixtures/README.md",
    between: ["## Certificates", "## Suites"],
    wide: true,
  },
  {
    name: "comparison",
    title: "How it compares",
    about: "Beside services, interfaces and libraries: what each does, how fast, how right.",
    file: "docs/comparison.md",
    wide: true,
  },
  { name: "changelog", title: "Changelog", about: "What changed, newest first.", file: "CHANGELOG.md" },
  { name: "glossary", title: "Words", about: "What each word means here.", file: "docs/glossary.md" },
];

/** All guides and documents. */
export const SECTIONS = [...GUIDE_SECTIONS, { heading: "Good to know", guides: [...GUIDES_BESIDE, ...DOCUMENTS] }];

const PATH = GUIDES.slice(0, -GUIDES_BESIDE.length);

const pageOf = ({ name, title }: Guide) => ({ href: `/docs/${name}`, title });

const MENU: Menu = [
  { heading: "Guides", links: [{ href: "/docs/guides", title: "All guides" }] },
  ...SECTIONS.map(({ heading, guides }) => ({ heading, links: guides.map(pageOf) })),
];

/** By their paths below the site's root, without the ending. */
export async function makeGuidePages(): Promise<Map<string, string>> {
  const show = async (page: Guide & Pick<Document, "wide">, content: Promise<string>): Promise<[string, string]> => [
    `docs/${page.name}`,
    await makePage({ ...pageOf(page), wide: page.wide === true, menu: MENU, main: html`${raw(await content)}` }),
  ];
  return new Map([
    ["docs/guides", await makePage({ title: "Guides", href: "/docs/guides", menu: MENU, main: makeIndex() })],
    ...(await Promise.all(GUIDES.map((guide) => show(guide, makeGuide(guide))))),
    ...(await Promise.all(DOCUMENTS.map((document) => show(document, makeDocument(document))))),
  ]);
}

const makeIndex = (): Markup => html`<h1>Guides</h1>
<p class="lead">Each command of a guide runs against the sandbox of <code>npm start</code>, and answers what stands below it.</p>
${SECTIONS.map(
  ({ heading, guides }) => html`<h2 id="${slug(heading)}">${heading}</h2>
<ul class="cards">${guides.map((guide) => html`<li><a href="/docs/${guide.name}">${guide.title}</a><p>${guide.about}</p></li>\n`)}</ul>\n`,
)}`;

async function makeGuide(guide: Guide): Promise<string> {
  const text = (await readGuide(guide)).replace(POLICY.mark, await readPart(POLICY));
  const whole = text.replace(/<!-- (\w+) -->/g, (_, table: string) => makeTable(table));
  const content = await makeContent(whole, (href) => findPage(POLICY.file, href));
  const way = String(await makeWay(guide));
  return content.replace("</h1>", (end) => `${end}\n${way}`);
}

/** Where on the path a guide stands, how long it takes, and what comes before and after it. */
function makeWay(guide: Guide): Markup | "" {
  const place = PATH.indexOf(guide);
  if (place < 0) return "";
  const link = (name: string, other: Guide | undefined) =>
    other ? html` ${name}: <a href="/docs/${other.name}">${other.title}</a>.` : "";
  const takes = guide.takes === undefined ? "" : ` It takes ${guide.takes}.`;
  return html`<p class="way">Guide ${place + 1} of ${PATH.length}.${takes}${link("Before", PATH[place - 1])}${link("Next", PATH[place + 1])}</p>`;
}

async function makeDocument({ title, file, between }: Document): Promise<string> {
  const markdown = between
    ? `# ${title}\n${await readPart({ file, between })}`
    : await readFile(join(ROOT, file), "utf8");
  // a package's README has the package's name
  const content = await makeContent(markdown.replace(/^# .*/, `# ${title}`), (href) => findPage(file, href));
  if (file === "CHANGELOG.md") return foldReleases(content);
  // a word of the glossary has an address
  if (file !== "docs/glossary.md") return content;
  return content.replaceAll(/<tr>\n<td>(.*?)<\/td>/g, (_, word: string) => `<tr id="${slug(word)}">\n<td>${word}</td>`);
}

/** All releases but the newest. */
function foldReleases(content: string): string {
  const [head = "", newest = "", ...older] = content.split(/(?=<h2 )/);
  const folded = older.map((release) => {
    const [heading = "", changes = ""] = release.split(/(?<=<\/h2>\n)/);
    return `${heading}<details class="fold"><summary>${changes.split("<li>").length - 1} changes</summary>${changes}</details>\n`;
  });
  return [head, newest, ...folded].join("");
}

/** Its headings are one level higher on a page of its own. */
async function readPart({
  file,
  between: [first, last],
}: Required<Pick<Document, "file" | "between">>): Promise<string> {
  const text = await readFile(join(ROOT, file), "utf8");
  const [from, to] = [text.indexOf(first) + first.length, text.indexOf(last)];
  if (from < first.length || to < from) throw new Error(`there is no part from ${first} to ${last}`);
  return text.slice(from, to).replaceAll(/^###/gm, "##");
}

/** A file of the repository is a page here, or none. */
function findPage(from: string, href: string): string | null {
  if (/^([a-z]+:|[/#])/.test(href)) return href;
  const path = join(from, "..", href);
  const guide = /^src\/reference\/guides\/([\w-]+)\.md(#.*)?$/.exec(path);
  if (guide) return `/docs/${guide[1]}${guide[2] ?? ""}`;
  const [target, anchor] = path.split("#");
  if (target === POLICY.file && anchor === slug(POLICY.between[0])) return "/docs/versions";
  const document = DOCUMENTS.find(({ file }) => file === target);
  if (!document) return null;
  // the heading at which a page's part begins is the page's own
  return `/docs/${document.name}${anchor && anchor !== slug(document.between?.[0] ?? "") ? `#${anchor}` : ""}`;
}

/** The codes of the PSP check as they are in the code: what a guide says of them cannot be out of date. */
function makeTable(name: string): string {
  if (name === "verdicts") return list(Object.entries(VERDICTS).map(([verdict, { meaning }]) => [verdict, meaning]));
  if (name === "warnings")
    return list(Object.entries(WARNINGS).map(([code, { meaning, cure }]) => [code, `${meaning}.`, cure]));
  if (name === "reasons")
    return list(
      Object.entries(REASONS).map(([code, { whose, meaning, cure }]) => [code, `(${whose}) ${meaning}.`, cure]),
    );
  if (name === "problems")
    return list(
      Object.entries(SIGNATURE_PROBLEMS).map(([code, meaning]) => [
        code,
        `${meaning}.`,
        SIGNATURE_CURES[code as SignatureProblemCode],
      ]),
    );
  throw new Error(`no table of this name: ${name}`);
}

/** Written as HTML: the blank lines around it keep Markdown from reading it. A long one is folded. */
function list(entries: readonly (readonly [code: string, meaning: string, cure?: string])[]): string {
  const rows = entries.map(
    ([code, meaning, cure]) =>
      `<dt><code>${code}</code></dt><dd>${escapeHtml(meaning)}${cure === undefined ? "" : ` <span>${escapeHtml(cure)}</span>`}</dd>`,
  );
  const all = `<dl class="codes">\n${rows.join("\n")}\n</dl>`;
  return rows.length > MOST_OPEN
    ? `<details class="fold"><summary>${rows.length} codes</summary>${all}</details>`
    : all;
}
