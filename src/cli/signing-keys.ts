/** `signing-key rotate | list`: the keys that sign answers (RFC 9421). */
import type { Command } from "commander";
import { type PublicSigningKey, publishKeys } from "../evidence/signatures/signing-keys.ts";
import { clock, relativeTime } from "../platform/clock.ts";
import { addOutputOptions, type OutputOptions, print, type Style } from "./output.ts";
import { listSigningKeys, rotateSigningKey } from "./signing-key-files.ts";
import { drawTable } from "./table.ts";
import { addTargetOptions, type TargetOptions, targetOf } from "./target.ts";

type Common = TargetOptions & OutputOptions;

export function addSigningKeyCommands(program: Command): void {
  const key = program.command("signing-key").description("the keys that sign answers");
  const command = (name: string, description: string) =>
    addOutputOptions(addTargetOptions(key.command(name).description(description)));

  command("rotate", "add a key, which signs answers from now on; what older ones signed can still be verified")
    .addHelpText(
      "after",
      "\nThe private parts of the older keys are removed: nobody can sign with them any more.\nKeep what GET /.well-known/jwks.json answers beside the answers that are to be proven later.",
    )
    .action(async (options: Common) => {
      const kid = await rotateSigningKey(targetOf(options));
      print({ kid }, options, (style) => `${style.good("made")} the key ${kid}, which signs from now on`);
    });

  command("list", "list the public keys as GET /.well-known/jwks.json answers them; the last one signs").action(
    async (options: Common) => {
      const keys = publishKeys(await listSigningKeys(targetOf(options)));
      print({ keys }, options, (style) => drawKeys(keys, clock.now(), style));
    },
  );
}

function drawKeys(keys: readonly PublicSigningKey[], now: number, style: Style): string {
  if (keys.length === 0) return "no key: signing-key rotate makes the first one";
  const rows = keys.map(({ kid, nbf, exp, x }) => [
    kid,
    exp === undefined ? style.good("✓ signs") : `signed until ${new Date(exp * 1000).toISOString()}`,
    relativeTime(new Date(nbf * 1000).toISOString(), now),
    x,
  ]);
  return drawTable(["key", "use", "made", "public key"], rows, style);
}
