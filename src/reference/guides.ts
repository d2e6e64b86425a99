/** The guides, in their order. test/spec/interface/guides.test.ts runs their commands; guide-pages.ts makes their pages. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Guide {
  /** The file in guides/, and the page below /docs/. */
  readonly name: string;
  readonly title: string;
  /** For lists of guides. */
  readonly about: string;
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
      },
      {
        name: "first-hour",
        title: "First hour: a gateway and an event",
        about: "A PSP of your own, nginx, a withdrawal, a verified event.",
      },
      { name: "from-1-6", title: "Moving from 1.6", about: "Each old name and what replaces it." },
    ],
  },
  {
    heading: "Enforce",
    guides: [
      {
        name: "certificates",
        title: "Certificates",
        about: "What to send, each verdict, each warning and what to do.",
      },
      { name: "passporting", title: "Passporting", about: "A PSP of one country, a customer of another." },
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
      { name: "gateways", title: "Gateways", about: "nginx, HAProxy, Caddy, Apache and others enforce tokens." },
      {
        name: "mappings",
        title: "Berlin Group, STET, UK",
        about: "Each call of your own interface, and what it asks here.",
      },
      {
        name: "several-accounts",
        title: "Several accounts in one consent",
        about: "An id of yours stands for the customer's choice.",
      },
      {
        name: "unattended-access",
        title: "Unattended access",
        about: "What lives how long while no customer is there.",
      },
      { name: "psd2-180-days", title: "The 180 days of PSD2", about: "Who counts them, and what ends with them." },
      {
        name: "signed-requests",
        title: "Verify a PSP's signed request",
        about: "Verify what a PSP signed with its seal.",
      },
      { name: "aggregators", title: "For aggregators", about: "Several banks, one credential." },
    ],
  },
  {
    heading: "Operate",
    guides: [
      {
        name: "pipelines",
        title: "In your pipeline",
        about: "GitHub Actions and GitLab start the sandbox, wait for it, and stop it.",
      },
      { name: "going-live", title: "Going live", about: "For the operator: deploy, load, add the bank, watch." },
      { name: "errors", title: "Errors", about: "One form; what a program does with each." },
      { name: "rate-limits", title: "Rate limits", about: "What is left, when it comes back, how to stay within it." },
      { name: "events", title: "Events", about: "What changed of your PSPs: watch, ask, be notified." },
    ],
  },
  {
    heading: "Prove",
    guides: [
      { name: "evidence", title: "Evidence", about: "Signed answers, and what they prove years later." },
      {
        name: "verify-by-hand",
        title: "Verify an answer by hand",
        about: "Digest, signed text and signature, in any language.",
      },
    ],
  },
];

export const GUIDES: readonly Guide[] = GUIDE_SECTIONS.flatMap(({ guides }) => guides);

const EXAMPLES = join(import.meta.dirname, "../../docs/examples/gateways");
const FOLDER = join(import.meta.dirname, "guides");
/** They are the same in each guide: folded, a reader has them once and sees the guide's own lines. */
const SETUP = "<summary>The preparation of all guides: the service, the bank, and what is asked of them</summary>";

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
  return (
    await Promise.all(parts.map(async (part, i) => (i % 2 ? `\`\`\`conf\n${await read(part)}\`\`\`` : part)))
  ).join("");
}
