/** The steps of a gradual deployment and of a rollback (docs/operate.md), as the real wrangler carries them out. */
import "../cli/own-state.ts";
import { expect, test } from "vitest";
import { deployThere, platform } from "./deployed-platform.ts";

// loaded behind what they read of the environment
const { deployHere } = await import("./deploy-here.ts");
const { keptWrangler } = await import("./kept-wrangler.ts");

const worker = () => {
  const script = platform.account.scripts.get("psp-gate");
  if (!script) throw new Error("it is not deployed");
  return script;
};
const shares = () => worker().deployments[0]?.versions;
const upload = () => deployHere(null, { upload: true });

test("before the first deployment nothing is uploaded alone", async () => {
  expect(await upload()).toEqual({
    ...{ code: 1, stdout: "", stderr: expect.stringContaining("psp-gate is not deployed yet") },
  });
  expect(platform.account.databases).toEqual([]);
});

test("--upload takes no traffic; then two versions share it, the new one has all, and a rollback takes it back", async () => {
  await deployThere(null);
  const [old] = worker().versions;
  const { code, stdout } = await upload();
  const [, next = ""] = /version (\S+): no request goes to it yet/.exec(stdout) ?? [];
  expect({ code, next }).toEqual({ code: 0, next: worker().versions[1]?.id });
  expect(shares()).toEqual([{ version_id: old?.id, percentage: 100 }]);
  // the stores are the same
  expect(worker().versions[1]?.bindings).toEqual(old?.bindings);

  const commands = [...stdout.matchAll(/^ {2}npx wrangler (versions deploy .*)$/gm)].map(([, line = ""]) => line);
  expect(commands).toEqual([
    `versions deploy ${next}@10% ${old?.id}@90% --name psp-gate --yes`,
    `versions deploy ${next}@100% --name psp-gate --yes`,
  ]);
  const states = [];
  for (const line of [...commands, `rollback ${old?.id} --name psp-gate --yes`]) {
    const done = await keptWrangler(line.split(" "));
    expect(done).toEqual({ code: 0, output: expect.any(String) });
    states.push(Object.fromEntries((shares() ?? []).map((each) => [each.version_id, each.percentage])));
  }
  expect(states).toEqual([{ [next]: 10, [old?.id ?? ""]: 90 }, { [next]: 100 }, { [old?.id ?? ""]: 100 }]);
});

test("beside a migration that is not additive the deployed version could not write: it is not made", async () => {
  const [database] = platform.account.databases;
  database?.sqlite.exec("DELETE FROM d1_migrations");
  const uploaded = worker().versions.length;
  expect(await upload()).toEqual({
    ...{ code: 1, stdout: "", stderr: expect.stringContaining("deploy at once, without --upload") },
  });
  expect(worker().versions).toHaveLength(uploaded);
  expect(database?.sqlite.prepare("SELECT count(*) AS n FROM d1_migrations").get()).toEqual({ n: 0 });
});
