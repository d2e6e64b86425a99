/**
 * A stranger's hour at the service of gateways.test.ts, as its guide prints it: a PSP of one's own with its certificate, nginx in front of a page,
 * allowed, withdrawn, and the event received and verified. Only addresses and folders are replaced.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { GUIDES, readGuide } from "../../src/reference/guides.ts";
import { findFreePort } from "../free-port.ts";
import { runCommands } from "../spec/guide-run.ts";
import { ROOT, type Service } from "../spec/service.ts";
import { findTool } from "../tools.ts";

/** As the guide has it. */
const PRINTED = "http://127.0.0.1:8787";
const EXAMPLE = "docs/examples/gateways/nginx.conf";

/** `service`: the one that its commands speak to. */
export function testFirstHour(service: () => Service): void {
  describe.runIf(findTool("nginx") && findTool("openssl") && findTool("curl"))("first hour", () => {
    // where any user can read: nginx gives up root's rights
    const folder = mkdtempSync("/tmp/psp-gate-hour-");
    chmodSync(folder, 0o755);
    afterAll(() => {
      endNginx();
      rmSync(folder, { recursive: true, force: true });
    });

    /** A guide that failed has left it. */
    function endNginx(): void {
      try {
        process.kill(Number(readFileSync(join(folder, "nginx.pid"), "utf8")));
      } catch {
        // the guide has ended it
      }
    }

    test.each(["once", "again, on what the first time has left"])(
      "its commands run, and answer what it says: %s",
      async () => {
        const guide = GUIDES.find(({ name }) => name === "first-hour");
        if (!guide) throw new Error("there is no such guide");
        const [gateway, backend] = [`127.0.0.1:${await findFreePort()}`, `127.0.0.1:${await findFreePort()}`];
        const example = join(folder, "example.conf");
        writeFileSync(example, readFileSync(join(ROOT, EXAMPLE), "utf8").replaceAll("127.0.0.1:8081", backend));
        const here = (text: string): string =>
          text
            .replaceAll(PRINTED, service().url)
            .replaceAll("127.0.0.1:8443", gateway)
            .replaceAll("127.0.0.1:8081", backend)
            .replaceAll('listen(8081, "', `listen(${backend.split(":")[1]}, "`)
            .replaceAll("$PWD/.wrangler/hour", folder)
            .replaceAll(EXAMPLE, example);
        const blocks = [...(await readGuide(guide)).matchAll(/^```(sh|text)\n([\s\S]*?)\n```$/gm)];
        const ran: { command: string; answer?: string }[] = [];
        for (const [, lang, text = ""] of blocks)
          if (lang === "sh") ran.push({ command: text });
          else Object.assign(ran.at(-1) ?? {}, { answer: text });
        const outputs = await runCommands(
          ran.map(({ command }) => here(command)),
          service().state,
        );
        const answered = ran.map(({ answer }, i) => [answer, outputs[i]?.trim()]).filter(([answer]) => answer);
        expect(answered).toHaveLength(4);
        for (const [answer, output] of answered) expect(output).toBe(answer);
      },
    );
  });
}
