/**
 * Code on a page: its colours are made with the page, and a button copies it (assets/site.js). Tabs show the same in several
 * languages, without a script; where scripts run, the choice is kept for other pages.
 */
import { loadLanguage, type ShjLanguage, tokenize } from "@speed-highlight/core";
import bash from "@speed-highlight/core/languages/bash.js";

const VARIABLE = { type: "var", match: /\$\w+|\$\{[^}]*\}/g };
/** The package's shell has one colour for all of `$(...)`, and ends a text with its line. */
loadLanguage("shell", {
  default: [
    { type: "str", match: /"(?:\$\([^()]*\)|\\.|[^"\\])*"|'[^']*'/gs, sub: [VARIABLE] },
    { type: "func", match: /(?<=\$\()[a-z_.-]+/g },
    // without its own texts and variables, the second and the last
    ...[...bash.slice(0, 1), ...bash.slice(2, -1)],
    VARIABLE,
  ] as never,
});

/** By the first word behind the fence of a block. Settings of servers have the shell's comments, texts and variables. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ sh: "shell", conf: "bash", json: "json", http: "http", xml: "xml", yaml: "yaml" },
  ...{ ts: "ts", js: "js", python: "py", java: "java" },
};

/** What a block is to its reader: its class, and its name for who does not see it. The rest are answers. */
const KINDS: Readonly<Record<string, readonly [kind: string, name: string]>> = {
  ...{ sh: ["command", "Command"], conf: ["settings", "Settings"], yaml: ["settings", "Settings"] },
  ...{ ts: ["program", "TypeScript"], js: ["program", "JavaScript"] },
  ...{ python: ["program", "Python"], java: ["program", "Java"] },
};

export interface Code {
  readonly text: string;
  /** A key of `LANGUAGES`; what is not there has no colours. */
  readonly language: string;
  /** What its tab says. */
  readonly title?: string;
}

/** An answer hangs on its command; a wide block can be scrolled by the keyboard. */
export async function makeCode({ text, language, title }: Code): Promise<string> {
  const [kind, name] = KINDS[language] ?? ["answer", "Answer"];
  return `<div class="block ${kind}"><pre tabindex="0" role="group" aria-label="${title ?? name}"><code>${await colour(text, language)}</code></pre><button type="button" class="copy">Copy</button></div>\n`;
}

/** At most five of different titles. `name` differs from that of other tabs of the page. */
export async function makeTabs(name: string, codes: readonly Code[]): Promise<string> {
  const labels = codes.map(
    ({ title }, i) =>
      `<label><input type="radio" name="${name}" value="${title}"${i === 0 ? " checked" : ""}>${title}</label>`,
  );
  const blocks = await Promise.all(codes.map(makeCode));
  return `<div class="tabs" role="radiogroup" aria-label="Shown">\n${labels.join("")}\n${blocks.join("")}</div>\n`;
}

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Kinds of tokens that look alike have one class; the first letter keeps pages small. */
const CLASSES: Readonly<Record<string, string>> = {
  ...{ kwd: "k", type: "k", var: "v", class: "v", func: "f", section: "f" },
  ...{ str: "s", esc: "s", num: "n", bool: "n", cmnt: "c" },
};

/** Of `npm start`, as guides have it: a page shows the address of the service that serves it (assets/site.js). */
export const LOCAL_ADDRESS = "http://127.0.0.1:8787";
/** In its place while a text is coloured: one word in every language. */
const WORD = "LOCALADDRESS";
const ADDRESS = `<span data-address>${LOCAL_ADDRESS}</span>`;

const colour = async (text: string, language: string): Promise<string> =>
  (await colourWords(text.replaceAll(LOCAL_ADDRESS, WORD), language))
    .replaceAll(WORD, ADDRESS)
    // the sign that a command goes on does not stand alone in a line
    .replaceAll(/ \\$/gm, "<span class=e> \\</span>");

async function colourWords(text: string, language: string): Promise<string> {
  const known = LANGUAGES[language];
  if (known === undefined) return escapeHtml(text);
  let coloured = "";
  await tokenize(text, known as ShjLanguage, (part, kind = "oper") => {
    const name = CLASSES[kind];
    coloured += name ? `<span class=${name}>${escapeHtml(part)}</span>` : escapeHtml(part);
  });
  return coloured;
}
