/** The run's side of the load generator: starts its process, pauses and resumes it, and waits for what it says. */
import { type ChildProcess, fork } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command, GeneratorMessage, GeneratorTask, Progress } from "./generator-messages.ts";

type Said<Is extends GeneratorMessage["is"]> = Extract<GeneratorMessage, { readonly is: Is }>;

export class GeneratorProcess {
  readonly #child: ChildProcess;
  #progress: Progress = { requests: 0, wrong: 0, serverErrors: 0 };

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on("message", (message: GeneratorMessage) => {
      if (message.is === "progress") this.#progress = message.progress;
    });
  }

  /** It begins as paused. `folder`: for its task. */
  static async start(folder: string, task: GeneratorTask): Promise<GeneratorProcess> {
    const file = join(folder, "task.json");
    await writeFile(file, JSON.stringify(task));
    const generator = new GeneratorProcess(fork(join(import.meta.dirname, "generator.ts"), [file]));
    await generator.#hear("ready");
    return generator;
  }

  get progress(): Progress {
    return this.#progress;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  resume(): void {
    this.#tell("resume");
  }

  /** Resolves when no request is under way. */
  async pause(): Promise<void> {
    const paused = this.#hear("paused");
    this.#tell("pause");
    await paused;
  }

  stop(): Promise<Said<"stopped">> {
    const stopped = this.#hear("stopped");
    this.#tell("stop");
    return stopped;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  #tell(command: Command): void {
    this.#child.send(command);
  }

  #hear<Is extends GeneratorMessage["is"]>(is: Is): Promise<Said<Is>> {
    const { promise, resolve, reject } = Promise.withResolvers<Said<Is>>();
    const end = () => {
      this.#child.off("message", hear);
      this.#child.off("exit", fail);
    };
    const hear = (message: GeneratorMessage) => {
      if (message.is !== is) return;
      end();
      resolve(message as Said<Is>);
    };
    const fail = (code: number | null) => {
      end();
      reject(new Error(`the load generator ended with ${code} before it was ${is}`));
    };
    this.#child.on("message", hear).on("exit", fail);
    return promise;
  }
}
