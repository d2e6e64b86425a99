/** `register import` as an operator runs it: exit codes, what is printed, what is loaded then. */
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { drawProgress } from "../../src/cli/output.ts";
import { clock } from "../../src/platform/clock.ts";
import { many, packRegister } from "../refresh/eba-source.ts";
import { sharedData } from "../shared-data.ts";
import "./in-process.ts";
import { run as admin } from "./run-here.ts";

const ROOT = join(import.meta.dirname, "../..");
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "psp-gate-register-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}
const registers = async () => JSON.parse((await admin("status")).stdout).registers as Record<string, unknown>[];

const OWN = {
  ...{ country: "XX", ncaId: "XX-TEST", ncaName: "Test Authority", published: "2026-11-01T00:00:00Z" },
  source: "credit-institutions",
  psps: [
    {
      authNumber: "PSDXX-TEST-B1",
      categories: [{ category: "Credit Institution", legalName: "A Bank", status: "Authorised" }],
    },
  ],
};
const CSV = `country,ncaId,ncaName,published,source,authNumber,agent,category,legalName,status,services,passportOut,passportIn
XX,XX-TEST,Test Authority,2026-11-01T00:00:00Z,nca,PSDXX-TEST-1,,AISP,Example Ltd,Registered,8,XY:8,
`;

describe("npm run admin -- register import", () => {
  test("takes the project's own form as JSON and as CSV, and refuses the one under another source's name", async () => {
    const json = await file("banks.json", JSON.stringify(OWN));
    expect(await admin("register", "import", json, "--source", "credit-institutions")).toMatchObject({ code: 0 });
    expect(await admin("register", "import", json, "--source", "nca")).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining("it is of the source credit-institutions") },
    });
    const csv = await file("nca.csv", CSV);
    expect(await admin("register", "import", csv, "--source", "nca")).toMatchObject({ code: 0 });
    expect(await admin("register", "import", await file("bad.csv", CSV.replace(",8,", ",9,")))).toMatchObject({
      ...{ code: 1, stdout: "", stderr: expect.stringMatching(/^error: .*9 is not a payment service/s) },
    });
    expect(await registers()).toMatchObject([
      { source: "credit-institutions", jurisdiction: "XX", psps: 1 },
      { source: "nca", jurisdiction: "XX", psps: 1 },
    ]);
  });

  test("is recorded as of its end, however long it took: of the project's own form and of the EBA's", async () => {
    const paths = [await file("own.json", JSON.stringify(OWN)), await file("long.zip", packRegister(many("FI", 20)))];
    let time = Date.now();
    const slow = vi.spyOn(clock, "now").mockImplementation(() => (time += 1_000));
    for (const path of paths) expect(await admin("register", "import", path)).toMatchObject({ code: 0 });
    slow.mockRestore();
    for (const source of ["credit-institutions", "eba"]) {
      const one = (await registers()).find((each) => each["source"] === source) as {
        fetchedAt: string;
        refresh: { checkedAt: string };
      };
      expect([source, one.refresh.checkedAt > one.fetchedAt]).toEqual([source, true]);
    }
  });

  test("takes the EBA's ZIP, refuses one of another checksum, and one that drops too many until it is forced", async () => {
    const zip = packRegister([...many("FI", 20), ...many("SE", 20)]);
    const path = await file("eba.zip", zip);
    const wrong = await admin("register", "import", path, "--source", "eba", "--sha256", "0".repeat(64));
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("SHA-256") });
    const right = createHash("sha256").update(zip).digest("hex");
    const taken = await admin("register", "import", path, "--source", "eba", "--sha256", right);
    expect(JSON.parse(taken.stdout)).toMatchObject({ ok: true, records: 41, institutions: 40 });

    const fewer = await file("fewer.zip", packRegister([...many("FI", 10), ...many("SE", 20)]));
    const refused = await admin("register", "import", fewer, "--source", "eba");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("FI: 10 of 20 PSPs") });
    const finland = async () => (await registers()).find(({ jurisdiction }) => jurisdiction === "FI");
    expect(await finland()).toMatchObject({
      psps: 20,
      refresh: { refusedImport: { message: expect.stringContaining("fewer.zip was refused") } },
    });
    expect(await admin("register", "import", fewer, "--source", "eba", "--force")).toMatchObject({ code: 0 });
    expect(await finland()).toMatchObject({ psps: 10, refresh: { lastError: null, refusedImport: null } });
  });

  const OTHER = JSON.stringify({ ...OWN, country: "XY", psps: [] });
  test.each<[string, string, string, () => Promise<string>]>([
    [
      "own form",
      "XY",
      "was published 2026-10-31T23:59:59.000Z, and what was imported last of XY (credit-institutions) 2026-11-01T00:00:00.000Z",
      () => file("own-older.json", OTHER.replace("2026-11-01T00:00:00Z", "2026-11-01T01:59:59+02:00")),
    ],
    [
      "EBA's form",
      "SK",
      "is refused: its newest record is of 2027-01-01T11:59:59.999Z, and that of the loaded file of 2027-01-01T12:00:00.000Z",
      () => file("eba-older.zip", packRegister(many("SK", 5), false, "20270101115959999")),
    ],
  ])(
    "refuses a file of the %s that is older than the one loaded, unless told; the same again is taken",
    async (form, country, message, write) => {
      const loaded =
        form === "own form"
          ? await file("own-loaded.json", OTHER)
          : await file("loaded.zip", packRegister(many("SK", 5), false, "20270101120000000"));
      const one = async () => (await registers()).find(({ jurisdiction }) => jurisdiction === country);
      for (const _ of ["first", "again"])
        expect(await admin("register", "import", loaded, "--force")).toMatchObject({ code: 0 });
      const before = await one();
      const older = await write();
      expect(await admin("register", "import", older, "--force")).toMatchObject({ code: 1, stdout: "" });
      const { stderr } = await admin("register", "import", older, "--force");
      expect(stderr).toContain(`${older} ${message}`);
      expect(stderr).toMatch(/nothing was changed\. If that is right, say --older\n$/);
      expect(await one()).toMatchObject({
        snapshot: before?.["snapshot"],
        published: before?.["published"],
        refresh: { refusedImport: { message: expect.any(String) } },
      });
      expect(await admin("register", "import", older, "--older", "--force")).toMatchObject({ code: 0 });
      expect((await one())?.["published"]).not.toBe(before?.["published"]);
      // and back again
      expect(await admin("register", "import", loaded)).toMatchObject({ code: 0 });
      expect(await one()).toMatchObject({ published: before?.["published"], refresh: { refusedImport: null } });
    },
  );

  test("takes the records of our own, names those that it cannot read, and dates the snapshot by the latest of them", async () => {
    const path = join(ROOT, "fixtures/suites/eba/psd2_golden_copy_sample.json");
    const taken = await admin("register", "import", path, "--source", "eba", "--force", "--older");
    expect(JSON.parse(taken.stdout)).toMatchObject({
      ok: true,
      unreadable: expect.arrayContaining([expect.any(String)]),
    });
    const all = await registers();
    const published = "2026-11-14T09:00:00.000Z";
    expect(all).toContainEqual(expect.objectContaining({ source: "eba", jurisdiction: "XX", published }));
    expect(all).toContainEqual(expect.objectContaining({ source: "eba", jurisdiction: "GR", psps: 1 }));
  });

  test.runIf(sharedData)("takes the real records, and dates the snapshot by the latest of them", async () => {
    const path = join(sharedData ?? "", "eba/psd2_golden_copy_sample.json");
    const taken = await admin("register", "import", path, "--source", "eba", "--force", "--older");
    expect(JSON.parse(taken.stdout)).toMatchObject({ ok: true, unreadable: [] });
    expect((await registers()).find(({ jurisdiction }) => jurisdiction === "ES")).toMatchObject({ source: "eba" });
  });

  test("says what is wrong with a file that is no register", async () => {
    const html = await file("page.html", "<!doctype html><title>Maintenance</title>");
    expect(await admin("register", "import", html, "--source", "eba")).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining("the JSON cannot be read") },
    });
    expect(await admin("register", "import", join(folder, "nowhere"), "--source", "eba")).toMatchObject({
      ...{ code: 3, stderr: expect.stringContaining("no such file") },
    });
  });
});

test("progress is drawn as a bar where the whole is known, else as a count", () => {
  expect(drawProgress(0, 10)).toBe(`[${" ".repeat(30)}]   0%`);
  expect(drawProgress(5, 10)).toBe(`[${"#".repeat(15)}${" ".repeat(15)}]  50%`);
  expect(drawProgress(12, 10)).toBe(`[${"#".repeat(30)}] 100%`);
  expect(drawProgress(12, null)).toBe("12");
});

describe("npm run admin -- register numbers", () => {
  const numbers = (...rows: string[]) => ["country,authNumber,registerNumber,kind,source,asOf", ...rows].join("\n");
  const row = (number: string, target: string, source = "Test") =>
    `XX,PSDXX-TEST-${number},PSDXX-TEST-${target},supervisor_number,${source},2026-11-01`;

  test("takes a file, says what its numbers find, and removes them", async () => {
    await admin("register", "import", await file("numbered.csv", CSV), "--force", "--older");
    const path = await file(
      "numbers.csv",
      numbers(
        row("900001", "1"),
        row("900002", "NOBODY"),
        row("900003", "1", "B").replace("supervisor_number", "tax_number"),
      ),
    );
    const imported = JSON.parse((await admin("register", "numbers", "import", path, "--json")).stdout);
    expect(imported).toMatchObject({ ok: true, numbers: 3 });
    expect(imported.registers).toContainEqual({
      ...{ country: "XX", source: "nca", written: 2, removed: 0 },
      ...{ found: 2, own_entry: 0, no_entry: 1, contradicted: 0 },
    });
    expect(JSON.parse((await admin("register", "numbers", "list", "--json")).stdout)).toEqual([
      expect.objectContaining({ source: "B", kind: "tax_number", numbers: 1, found: 1 }),
      expect.objectContaining({ source: "Test", numbers: 2, found: 1, no_entry: 1, noEntry: ["PSDXX-TEST-900002"] }),
    ]);
    const listed = await admin("register", "numbers", "list", "--no-json");
    expect(listed.stdout).toContain("PSDXX-TEST-900002 fits no entry");
    // what the file's sources said before is replaced, and what others say is not
    const next = await file("next.csv", numbers(row("900004", "1")));
    expect(JSON.parse((await admin("register", "numbers", "import", next)).stdout)).toMatchObject({ numbers: 1 });
    const again = await admin("register", "numbers", "import", next, "--no-json");
    expect(again.stdout).toMatch(/imported .*next\.csv: 1 numbers\n/);
    const removed = await admin("register", "numbers", "remove", "--country", "xx", "--source", "B");
    expect(JSON.parse(removed.stdout)).toMatchObject({ ok: true, numbers: 1 });
    expect(JSON.parse((await admin("register", "numbers", "list", "--json")).stdout)).toMatchObject([
      { source: "Test", numbers: 1, found: 1 },
    ]);
    expect(await admin("register", "numbers", "remove", "--country", "XX", "--source", "B")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no numbers of XX have the source B: nothing was changed"),
    });
  });

  test("takes BaFin's export with its day, and says what it left out", async () => {
    const rows = ["A;106653;391200GLBAFG69QGNT85;Deutschland;", "B;106654;;Deutschland;", ";;;;01.01.2020"];
    const path = await file("bafin.csv", ["NAME;BAK NR;LEI;LAND;ENDE AM", ...rows].join("\r\n"));
    for (const [day, message] of [
      [[], "is of BaFin and does not say its day: say it with --as-of"],
      [["--as-of", "28.11.2026"], "--as-of: 28.11.2026 is not a day such as"],
      [["--as-of", "9999-01-01"], "--as-of: 9999-01-01 lies ahead"],
    ] as const)
      expect(await admin("register", "numbers", "import", path, ...day)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(message),
      });
    const imported = await admin("register", "numbers", "import", path, "--as-of", "2026-11-01", "--no-json");
    expect(imported.stdout).toMatch(/imported .*bafin\.csv: 1 numbers, left out: 1 no_entry/);
    const removed = await admin("register", "numbers", "remove", "--country", "DE", "--source", "BaFin");
    expect(JSON.parse(removed.stdout)).toMatchObject({ ok: true, numbers: 1 });
  });

  test("refuses a file with each row that is wrong, and changes nothing", async () => {
    const before = (await admin("register", "numbers", "list", "--json")).stdout;
    const path = await file(
      "wrong.csv",
      numbers(row("900009", "1"), row("900010", "1").replace("XX,PSDXX", "XX,PSDXY")),
    );
    expect(await admin("register", "numbers", "import", path)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("row 3, column authNumber: PSDXY-TEST-900010 is not of XX"),
    });
    expect((await admin("register", "numbers", "list", "--json")).stdout).toBe(before);
  });
});
