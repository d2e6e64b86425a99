/** The guides, in their order. test/spec/interface/guides.test.ts runs their commands; guide-pages.ts makes their pages. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Guide {
  /** The file in guides/, and the page below /docs/. */
  readonly name: string;
  readonly title: string;
  /** For lists of guides. */
  readonly about: string;
  /** How long it takes to do, where its title promises it. */
  readonly takes?: string;
}

/** A path: who reads them in this order starts, enforces, operates and proves. A new guide is a file in guides/ and a row here. Of several languages see markdown.ts on tabs. */
export const GUIDE_SECTIONS: readonly { readonly heading: string; readonly guides: readonly Guide[] }[] = [
  {
    heading: "Start",
    guides: [
      {
        name: "first-check",
        title: "First check in five minutes",
        about: "From a clone to the first yes and the first no.",
        takes: "five minutes",
      },
      {
        name: "first-hour",
        title: "First hour: a gateway and an event",
        about: "A PSP of your own, nginx, a withdrawal, a verified event.",
        takes: "an hour at most",
      },
      {
        name: "pipelines",
        title: "In your pipeline",
        about: "GitHub Actions and GitLab start the sandbox, wait for it, and stop it.",
      },
    ],
  },
  {
    heading: "Enforce",
    guides: [
      {
        name: "certificates",
        title: "Certificates and passports",
        about: "What to send; each verdict, warning and reason; a PSP of another country.",
      },
      {
        name: "core-flow",
        title: "Core flow",
        about: "Code, token, introspection, withdrawal, by the PSP's certificate.",
      },
      {
        name: "open-banking-flow",
        title: "Open-banking flow",
        about: "CCG token, consent, code, token, permissions.",
      },
      {
        name: "consents",
        title: "Consents: accounts and lifetimes",
        about: "Several accounts, unattended access, the 180 days of PSD2.",
      },
      {
        name: "mappings",
        title: "Berlin Group, STET, UK",
        about: "Each call of your own interface, and what it asks here.",
      },
      {
        name: "signed-requests",
        title: "Verify a PSP's signed request",
        about: "What a PSP signed with its seal, by five profiles.",
      },
      { name: "gateways", title: "Gateways", about: "nginx, HAProxy, Caddy, Apache and others enforce tokens." },
    ],
  },
  {
    heading: "Operate",
    guides: [
      { name: "going-live", title: "Going live", about: "For the operator: deploy, load, add the bank, watch." },
      {
        name: "errors",
        title: "Errors and limits",
        about: "What a program does with each, how often it may ask, several banks by one credential.",
      },
      { name: "events", title: "Events", about: "What changed of your PSPs: watch, ask, be notified." },
    ],
  },
  {
    heading: "Prove",
    guides: [
      { name: "evidence", title: "Evidence", about: "Signed answers and records, and what they prove years later." },
      {
        name: "verify-by-hand",
        title: "Verify a signed answer by hand",
        about: "Digest, signed text and signature, in any language.",
      },
    ],
  },
];

/** Beside the path: who does not come from 1.6 needs them later. */
export const GUIDES_BESIDE: readonly Guide[] = [
  {
    name: "versions",
    title: "Versions, and moving from 1.6",
    about: "What may change under a client, and each old name with what replaces it.",
  },
];

/** All of them, those of the path first. */
export const GUIDES: readonly Guide[] = [...GUIDE_SECTIONS.flatMap(({ guides }) => guides), ...GUIDES_BESIDE];

const EXAMPLES = join(import.meta.dirname, "../../docs/examples/gateways");
const FOLDER = join(import.meta.dirname, "guides");
/** They are the same in each guide: folded, a reader has them once and sees the guide's own lines. */
const SETUP =
  "<summary>The preparation of all guides: once in your terminal, in the repository's folder, while <code>npm start</code> runs</summary>";

/** As it is published: with what all guides begin with, in the shell or in all languages that it has. */
export async function readGuide({ name }: Guide): Promise<string> {
  const [text = "", setup = ""] = await Promise.all(
    [name, "setup"].map((file) => readFile(join(FOLDER, `${file}.md`), "utf8")),
  );
  const [, commands = ""] = /^```sh curl\n(.*?\n```)\n/s.exec(setup) ?? [];
  const lines = text.includes("```python") ? setup : `\`\`\`sh\n${commands}\n`;
  const whole = text.replace("<!-- setup -->", () => `<details>\n${SETUP}\n\n${lines}\n</details>`);
  const parts = whole.split(/<!-- example ([\w.-]+) -->/);
  // what is shown is the file that the tests run
  const read = (file: string) => readFile(join(EXAMPLES, file), "utf8");
  return (await Promise.all(parts.map(async (part, i) => (i % 2 ? foldFile(part, await read(part)) : part)))).join("");
}

/** A reader has one of the servers, and needs the files of no other. */
const foldFile = (name: string, text: string): string =>
  `<details class="fold">\n<summary><code>${name}</code></summary>\n\n\`\`\`conf\n${text}\`\`\`\n\n</details>`;
