/** Packages that one command needs: no workspaces, and installed at first use (test/install-folder.ts). */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installFolder } from "../../install-folder.ts";

const ROOT = join(import.meta.dirname, "../../..");
const readJson = async (file: string) => JSON.parse(await readFile(join(ROOT, file), "utf8"));

test("Stryker and the outside client's TypeScript are in folders with a lockfile of their own, not workspaces", async () => {
  expect(await readJson("package.json")).not.toHaveProperty("workspaces");
  const { packages } = await readJson("package-lock.json");
  expect(
    Object.keys(packages).filter((path) => /stryker|outside-client|openapi-(typescript|fetch)/.test(path)),
  ).toEqual([]);
  for (const [folder, name] of [
    ["mutants", "@stryker-mutator/core"],
    ["outside-client", "openapi-typescript"],
  ])
    expect(Object.keys((await readJson(`test/${folder}/package-lock.json`)).packages)).toContain(
      `node_modules/${name}`,
    );
});

test("a folder is installed at its first use and when its lockfile changed, which one line says", async () => {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-folder-"));
  const said: string[] = [];
  const install = () => installFolder(folder, (line) => said.push(line));
  const lock = (version: string) =>
    writeFile(
      join(folder, "package-lock.json"),
      JSON.stringify({
        ...{ name: "folder", version, lockfileVersion: 3 },
        packages: {
          "": { name: "folder", version, dependencies: { local: "file:local" } },
          "node_modules/local": { resolved: "local", link: true },
          local: { version: "1.0.0" },
        },
      }),
    );
  try {
    await mkdir(join(folder, "local"));
    await writeFile(join(folder, "local/package.json"), JSON.stringify({ name: "local", version: "1.0.0" }));
    await writeFile(
      join(folder, "package.json"),
      JSON.stringify({ name: "folder", version: "1.0.0", dependencies: { local: "file:local" } }),
    );
    await lock("1.0.0");
    await install();
    expect(said).toEqual([`npm ci in ${folder}: at first use, and when its package-lock.json changed`]);
    expect(existsSync(join(folder, "node_modules/local/package.json"))).toBe(true);
    await install();
    expect(said).toHaveLength(1);
    await lock("1.0.1");
    await install();
    expect(said).toHaveLength(2);
    // an installation that fails is told, and tried again
    await writeFile(join(folder, "package-lock.json"), "{");
    await expect(install()).rejects.toThrow(`npm ci failed in ${folder}`);
    await expect(install()).rejects.toThrow(`npm ci failed in ${folder}`);
  } finally {
    await rm(folder, { recursive: true });
  }
});
