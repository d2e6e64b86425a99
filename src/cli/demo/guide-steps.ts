/** A guide as steps that can be run: what it says, a command of the shell, and the answer below it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Marked } from "marked";

export interface Block {
  /** `sh`, `json` or `text`, a language of programs, or null for what is no code. */
  readonly lang: string | null;
  readonly text: string;
}

export const readBlocks = (guide: string): Block[] =>
  new Marked()
    .lexer(guide)
    .map((token) =>
      token.type === "code"
        ? { lang: (token["lang"] ?? "").split(" ")[0], text: token["text"] }
        : { lang: null, text: token.type === "heading" || token.type === "paragraph" ? token["text"] : "" },
    );

/** What differs. Everything that the promise names is in the answer; `…` stands for any text. */
export function compareAnswer({ lang, text }: Block, output: string): string[] {
  if (lang !== "json") {
    const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", ".+");
    return new RegExp(`^${escaped}$`).test(output) ? [] : [`the answer is not: ${text}`];
  }
  try {
    return compare(JSON.parse(text), JSON.parse(output), "answer");
  } catch {
    return ["the answer is no JSON"];
  }
}

function compare(promised: unknown, given: unknown, where: string): string[] {
  if (promised === "…") return typeof given === "string" && given !== "" ? [] : [`${where} is no text`];
  if (typeof promised !== "object" || promised === null)
    return promised === given ? [] : [`${where} is ${JSON.stringify(given)} and not ${JSON.stringify(promised)}`];
  if (typeof given !== "object" || given === null) return [`${where} is ${JSON.stringify(given)}`];
  const count = Array.isArray(promised) && Array.isArray(given) && promised.length !== given.length;
  if (count) return [`${where} has ${given.length} elements and not ${promised.length}`];
  return Object.entries(promised).flatMap(([key, value]) =>
    compare(value, (given as Record<string, unknown>)[key], `${where}.${key}`),
  );
}

const ROOT = join(import.meta.dirname, "../../..");
const MARK = "--- end of a command ---";

/**
 * One bash for the commands of a guide, in the repository's folder. `state`: the folder of the service that they speak to; null: that of
 * this environment.
 * `ownGroup`: its process group is its own, so that what a guide leaves running ends with it.
 */
export class GuideShell {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #output = "";
  #complaints = "";

  constructor(state: string | null, { ownGroup }: { readonly ownGroup: boolean }) {
    const PATH = `${join(ROOT, "node_modules/.bin")}:${process.env["PATH"]}`;
    const env = { ...process.env, PATH, ...(state !== null && { STATE_DIR: state }) };
    this.#child = spawn("bash", ["-euo", "pipefail"], { cwd: ROOT, env, detached: ownGroup });
    const { stdin, stdout, stderr } = this.#child;
    stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#output += text;
    });
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#complaints += text;
    });
    // a command that fails ends the shell, which then hears no more
    stdin?.on("error", () => {});
    this.#ended = once(this.#child, "close");
    this.#ended.catch(() => {});
    if (ownGroup) this.#child.once("exit", () => this.#endGroup());
  }

  /** Its output. Rejects with what a command that failed complained of. */
  async run(command: string): Promise<string> {
    const { stdin, stdout } = this.#child;
    this.#output = "";
    stdin?.write(`${command}\necho; echo '${MARK}'\n`);
    let isOpen = true;
    const ended = this.#ended.then(() => {
      isOpen = false;
    });
    while (isOpen && stdout && !this.#output.includes(MARK)) {
      const heard = new AbortController();
      await Promise.race([once(stdout, "data", heard).catch(() => {}), ended]);
      heard.abort();
    }
    const [output, rest] = this.#output.split(MARK);
    if (rest === undefined)
      throw new Error(`a command ended with ${this.#child.exitCode}: ${this.#complaints}\n${this.#output}`);
    return output?.trim() ?? "";
  }

  async end(): Promise<void> {
    this.#child.stdin?.end();
    await this.#ended;
  }

  #endGroup(): void {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, "SIGTERM");
    } catch {
      // nothing was left
    }
  }
}
