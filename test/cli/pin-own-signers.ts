/**
 * A preload (`node --import`) that adds the signers of the test lists to the pinned ones of that process. The variable
 * PINNED_SIGNERS holds them: base64 DER, separated by commas.
 */
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

const own = (process.env["PINNED_SIGNERS"] ?? "").split(",").filter((base64) => base64 !== "");

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.startsWith("file:") || !fileURLToPath(url).endsWith("src/trust/lists/pinned-signers.ts")) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString("utf8");
    const more = `PINNED_SIGNERS.push(...${JSON.stringify(own)}.map((base64) => Buffer.from(base64, "base64")));`;
    return { ...loaded, source: `${source}\n${more}\n` };
  },
});
