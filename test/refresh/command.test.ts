/** `npm run admin -- refresh` with its sources on loopback: what it does, and what is left when it is killed. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAdmin } from "../cli/admin-command.ts";
import "../cli/in-process.ts";
import { STATE_DIR } from "../cli/own-state.ts";
import { json, run as runHere } from "../cli/run-here.ts";
import { many, PUBLISHED, packRegister, publish } from "./eba-source.ts";
import { OWN_LISTS as lists } from "./list-worlds.ts";
import { Sources } from "./sources.ts";

describe("npm run admin -- refresh", () => {
  const {
    first,
    others: [missing, other],
  } = lists;
  const FIRST_PATH = `/${first.territory}.xml`;
  let sources: Sources;
  beforeAll(async () => {
    sources = await Sources.start();
    await lists.serveListOfLists(sources);
    sources.file(`/${other.territory}.xml`, other.bytes);
    publish(sources, "register", packRegister(many("FI", 20)));
  });
  afterAll(() => sources.stop());

  const start = (...args: string[]) =>
    startAdmin(
      {
        STATE_DIR,
        LOTL_URL: `${sources.url}/eu-lotl.xml`,
        TRUSTED_LIST_URL_TEMPLATE: `${sources.url}/{territory}.xml`,
        EBA_METADATA_URL: `${sources.url}/filemetadata.json`,
        EBA_FILES_URL: `${sources.url}/eba/`,
        EBA_SEARCH_URL: `${sources.url}/search`,
      },
      args,
    );
  const run = (...args: string[]) => start(...args).ended;
  const status = () => json("status");
  /** What a refresh said that took the lists. */
  let refreshed = "";

  test("killed while it reads a list, and started again: it goes on, and what was loaded is whole", async () => {
    sources.set(FIRST_PATH, { sends: "slowly", bytes: first.bytes });
    const killed = start("refresh", "--only", "trust");
    while (!sources.asked.includes(`${FIRST_PATH} slowly`)) await sleep(50);
    // with the runtime of its stores, which would outlive it
    process.kill(-(killed.child.pid ?? expect.unreachable()), "SIGKILL");
    await killed.ended;
    sources.file(FIRST_PATH, first.bytes);
    // the lease of the killed one lasts for seconds only; whether it still does depends on how fast this one starts
    const [again, meanwhile] = await Promise.all([run("refresh", "--only", "trust"), status()]);
    expect(meanwhile.trustedLists.find((list: { jurisdiction: string }) => list.jurisdiction === "EU")).toMatchObject({
      ...{ loaded: true, sequenceNumber: lists.number },
    });
    // a list that nobody serves here
    const unserved = `/${missing.territory}.xml answered with status 404`;
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(unserved) });
    const { jurisdiction, number, anchorNames } = first;
    expect(again.stdout).toContain(
      `the list of ${jurisdiction}, number ${number}, past its nextUpdate: ${anchorNames} names written`,
    );
    refreshed = again.stdout;
    const { trustedLists } = await status();
    const loaded = trustedLists.filter((list: { loaded: boolean }) => list.loaded);
    expect(loaded.map((list: { jurisdiction: string }) => list.jurisdiction)).toEqual(
      ["EU", first.jurisdiction, other.jurisdiction].sort(),
    );
  });

  test("what cannot be used of a list is said by refresh and by status, of each list", async () => {
    const left = {
      XA: "Birch Trust Ltd: Named by its key: left out: the list has no certificate of it, and names it by X509SKI",
      XB: "Cedar Trust Ltd: XB Disordered CA: left out: its status history is not in order of time",
    };
    // the other one may have been loaded before the kill
    expect(refreshed).toContain(`0 left; not used: ${left.XB}; Cedar Trust Ltd: Unreadable CA: certificate left out: `);
    const { trustedLists } = await status();
    for (const [jurisdiction, sentence] of Object.entries(left)) {
      const list = trustedLists.find((one: { jurisdiction: string }) => one.jurisdiction === jurisdiction);
      expect(list.skipped).toContain(sentence);
      expect((await runHere("status", "--no-json")).stdout).toContain(`! eIDAS ${jurisdiction}: not used: ${sentence}`);
    }
    expect(trustedLists.find((one: { jurisdiction: string }) => one.jurisdiction === "EU").skipped).toEqual([]);
  });

  test("of one part leaves the others alone, and exits with 0 when all is well", async () => {
    sources.asked.length = 0;
    const eba = await run("refresh", "--only", "eba");
    // a machine that is loaded for seconds is told how far it is
    expect(eba).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(register\/eba .*\n)*$/) });
    expect(eba.stdout).toContain(`published ${PUBLISHED.toISOString()}`);
    expect(sources.asked).toEqual(["/filemetadata.json 200", "/eba/register.zip 200"]);
    expect(await runHere("refresh", "--only", "crl")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("0 CRLs due"),
    });
    expect(await runHere("refresh", "--only", "weather")).toMatchObject({ code: 2 });
  });
});
