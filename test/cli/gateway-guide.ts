/** What the guide of gateways says of each server: its commands, from the making of the files to the service that is down. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { compareAnswer, readBlocks } from "../../src/cli/demo/guide-steps.ts";
import { GUIDES, readGuide } from "../../src/reference/guides.ts";
import { findFreePort } from "../free-port.ts";
import { runCommands } from "../spec/guide-run.ts";
import type { Service } from "../spec/service.ts";
import { findTool, type ToolName } from "../tools.ts";

/** As the guide has those of the gateway and of the page, and the example that of what HAProxy's script asks. */
const PORTS = ["8443", "8081", "8788"];

/** `service`: the one that its commands speak to. */
export function testGatewayGuide(service: () => Service, servers: readonly ToolName[]): void {
  describe.runIf(findTool("openssl") && findTool("curl"))("the guide", () => {
    // where any user can read: servers give up root's rights
    const folder = mkdtempSync("/tmp/psp-gate-guide-");
    chmodSync(folder, 0o755);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test.each(servers.filter(findTool))("its commands for %s run, and answer what it says", async (server) => {
      const guide = GUIDES.find(({ name }) => name === "gateways") ?? expect.unreachable();
      const starts = (text: string): boolean => text.startsWith("gateway()");
      const blocks = readBlocks(await readGuide(guide)).filter(
        ({ lang, text }) => (lang === "sh" && (!starts(text) || text.includes(`exec ${server} `))) || lang === "text",
      );
      expect(blocks.filter(({ text }) => starts(text))).toHaveLength(1);
      const own = await Promise.all(PORTS.map(async (port) => [port, String(await findFreePort())] as const));
      // the example itself names the last two
      const replaced = own.map(([printed, port]) => `s|:${printed}|:${port}|;`).join("");
      const here = (text: string): string =>
        own
          .reduce((told, [printed, port]) => told.replaceAll(printed, port), text)
          .replaceAll("http://127.0.0.1:8787", service().url)
          .replaceAll("$PWD/.wrangler/gateway", folder)
          .replace('sed -e "', () => `sed -e "${replaced}`);
      const commands = blocks.filter(({ lang }) => lang === "sh");
      const outputs = await runCommands(
        commands.map(({ text }) => here(text)),
        service().state,
      );
      const answers = blocks.flatMap((block, i) => {
        if (block.lang !== "text") return [];
        const output = outputs[commands.indexOf(blocks[i - 1] ?? block)]?.trim() ?? "";
        const text = server === "apache2" ? block.text.replace(/^expired: .*$/m, "expired: 000") : block.text;
        return [[output, compareAnswer({ ...block, text }, output)]];
      });
      expect(answers).toHaveLength(6);
      expect(answers).toEqual(answers.map(([output]) => [output, []]));
    });
  });
}
