/**
 * `npm start -- --address-file FILE`: the address in one line, for a pipeline that lets the service take a free port. FILE is there
 * from the service's first answer to its end. One that killed processes have left is removed when the next service begins.
 */
import { readFileSync, rmSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";

/** Between two questions of a service that does not answer yet. */
const PAUSE_MS = 100;

/** A file that this service has written. */
export interface WrittenAddress {
  readonly file: string;
  readonly text: string;
}

/** When the service answers there, whatever it says. */
export async function writeAddress(file: string, address: string): Promise<WrittenAddress> {
  const answers = () =>
    fetch(`${address}/health`).then(
      () => true,
      () => false,
    );
  while (!(await answers())) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  const text = `${address}\n`;
  // by rename: who waits for the file reads all of it
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, file);
  return { file, text };
}

/** Not if another service has written it since. */
export function removeAddress({ file, text }: WrittenAddress): void {
  try {
    if (readFileSync(file, "utf8") === text) rmSync(file);
  } catch {
    // it is not there any more
  }
}
