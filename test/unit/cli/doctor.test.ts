/** What the doctor says of readings that are given to it, at any time. */
import { describe, expect, test } from "vitest";
import {
  AREAS,
  describeFindings,
  exitCodeOf,
  type Finding,
  good,
  note,
  stateOf,
  toDo,
  unknown,
} from "../../../src/cli/doctor/finding.ts";
import { findCustody, findKeys, findRoom, findRoot, findSources } from "../../../src/cli/doctor/findings.ts";
import { judgeClock } from "../../../src/cli/doctor/machine-clock.ts";
import { findSettings, type Vars } from "../../../src/cli/doctor/settings.ts";
import { PLAIN } from "../../../src/cli/output.ts";
import { findReasons, type RefreshStatus, type SourceStatus } from "../../../src/refresh/reasons.ts";
import { readRootOfTrust } from "../../../src/refresh/root-of-trust.ts";
import type { Status } from "../../../src/refresh/status.ts";

const NOW = Date.parse("2026-11-22T00:00:00Z");
const DAY = 86_400_000;
const HOUR = 3_600_000;
const iso = (time: number) => new Date(time).toISOString();
const command = (words: string) => `npm run admin -- ${words} --remote`;
const said = (findings: readonly Finding[]) => findings.map(({ state, message, todo }) => [state, message, todo]);

describe("configuration", () => {
  const VARS: Vars = {
    ...{ BASE_URL: "https://gate.bank.example", RATE_LIMIT_REQUESTS: 15_000, ACCESS_TOKEN_SECONDS: 3_600 },
    ...{ ACCESS_TOKEN_SECONDS_PAYMENTS: 0, ACCESS_TOKEN_SECONDS_ACCOUNTS: 0, CCG_TOKEN_SECONDS: 3_600 },
    ...{ ACCESS_TEAM_DOMAIN: "", ACCESS_AUDIENCE: "", CONSOLE_LOCAL_OPERATOR: "" },
    ...{ SIGN_ANSWERS: "asked", LEDGER_RECORDS: "on", EVIDENCE_RETENTION_DAYS: 2_557 },
    ...{ EVENT_RETENTION_DAYS: 90, WEBHOOK_TARGETS: "public" },
    ...{ LEGACY_1_6: "false", LEGACY_1_6_SUNSET: "2027-11-30" },
    ...{
      JURISDICTION: "",
      KEY_RECIPIENT: "",
      NATIVE_REDIRECTS: "",
      TOKEN_RETENTION_DAYS: 30,
      RETENTION_DAYS: 396,
      PERMISSION_RETENTION_DAYS: 730,
    },
    ...{ MAX_CONSENT_DAYS: 0, LOTL_URL: "https://lists.example/lotl.xml", TRUSTED_LIST_URL_TEMPLATE: "" },
    ...{
      EBA_METADATA_URL: "https://eba.example/meta",
      EBA_FILES_URL: "",
      EBA_SEARCH_URL: "https://eba.example/search",
      REFRESH_TIMEOUT_SECONDS: 60,
    },
    ...{
      REGISTER_MAX_AGE_HOURS_EBA: 48,
      REGISTER_MAX_AGE_HOURS_NCA: 744,
      REGISTER_MAX_AGE_HOURS_CREDIT_INSTITUTIONS: 0,
    },
  };

  test("in order is one sentence", () => {
    expect(said(findSettings(VARS, true))).toEqual([["good", "32 variables in wrangler.toml, none refused", null]]);
    expect(findSettings({ ...VARS, BASE_URL: "" }, false)[0]?.message).not.toContain("BASE_URL");
    expect(findSettings({ ...VARS, BASE_URL: "" }, true)[0]).toMatchObject({
      state: "good",
      message: expect.stringContaining("BASE_URL is empty, so links in errors follow the Host header"),
    });
  });

  test("of operators' sign-in is an https address and its audience, or nothing", () => {
    const states = (domain: string, audience: string) =>
      findSettings({ ...VARS, ACCESS_TEAM_DOMAIN: domain, ACCESS_AUDIENCE: audience }, true).map(({ state }) => state);
    expect(states("https://bank.cloudflareaccess.com", "4714c1358e65")).toEqual(["good"]);
    expect(states("https://bank.cloudflareaccess.com", "")).toEqual(["to do"]);
    expect(states("bank.cloudflareaccess.com", "4714c1358e65")).toEqual(["to do"]);
  });

  test.each<[name: string, value: unknown, taken: boolean]>([
    ["RATE_LIMIT_REQUESTS", 1, true],
    ["RATE_LIMIT_REQUESTS", 0, false],
    ["RATE_LIMIT_REQUESTS", 1.5, false],
    ["RATE_LIMIT_REQUESTS", "15000", false],
    ["CCG_TOKEN_SECONDS", 0, false],
    ["TOKEN_RETENTION_DAYS", 0, false],
    ["RETENTION_DAYS", 0, false],
    ["PERMISSION_RETENTION_DAYS", -1, false],
    ["MAX_CONSENT_DAYS", 90, true],
    ["MAX_CONSENT_DAYS", -1, false],
    ["REFRESH_TIMEOUT_SECONDS", 0, false],
    ["REGISTER_MAX_AGE_HOURS_EBA", 0.5, true],
    ["REGISTER_MAX_AGE_HOURS_NCA", -1, false],
    ["REGISTER_MAX_AGE_HOURS_CREDIT_INSTITUTIONS", "", false],
    ["LOTL_URL", "http://127.0.0.1:9/", true],
    ["LOTL_URL", "", false],
    ["EBA_METADATA_URL", "ftp://eba.example/", false],
    ["EBA_SEARCH_URL", "", false],
    ["EBA_FILES_URL", "eba.example", false],
    ["EBA_FILES_URL", "https://eba.example/files", true],
    ["TRUSTED_LIST_URL_TEMPLATE", "https://lists.example/{territory}.xml", true],
    ["TRUSTED_LIST_URL_TEMPLATE", "https://lists.example/all.xml", false],
    ["TRUSTED_LIST_URL_TEMPLATE", "{territory}", false],
    ["NATIVE_REDIRECTS", "loopback", true],
    ["NATIVE_REDIRECTS", "private-use loopback", true],
    ["NATIVE_REDIRECTS", "loopback,private-use", false],
    ["JURISDICTION", "eu", true],
    ["JURISDICTION", "EU", false],
    ["KEY_RECIPIENT", "age1m6548mkfqryqjsh5az8kl8ezqahztzkg483aa9n574gk36t9sdpqx8caxe", true],
    ["KEY_RECIPIENT", "AGE-SECRET-KEY-1", false],
    ["BASE_URL", "http://gate.bank.example", false],
    ["ACCESS_TOKEN_SECONDS", 59, false],
    ["ACCESS_TOKEN_SECONDS_ACCOUNTS", 60, true],
    ["LOTL_URL", undefined, false],
    ["SIGN_ANSWERS", "always", true],
    ["SIGN_ANSWERS", "yes", false],
    ["LEGACY_1_6", "true", true],
    ["LEGACY_1_6", "on", false],
    ["LEGACY_1_6_SUNSET", "2027-11-31", false],
    ["LEGACY_1_6_SUNSET", "2027-13-01", false],
    ["LEGACY_1_6_SUNSET", "soon", false],
    ["CONSOLE_LOCAL_OPERATOR", "on", false],
    ["ACCESS_AUDIENCE", "4714c1358e65", false],
  ])("%s of %j: %s", (name, value, taken) => {
    const findings = findSettings({ ...VARS, [name]: value }, false);
    expect(findings.map(({ state }) => state)).toEqual([taken ? "good" : "to do"]);
    if (!taken)
      expect(findings[0]).toMatchObject({
        message: expect.stringContaining(name),
        todo: expect.stringContaining("wrangler.toml"),
      });
  });
});

const refresh = (more: Partial<RefreshStatus> = {}): RefreshStatus => ({
  ...{ checkedAt: iso(NOW - HOUR), nextCheck: iso(NOW + HOUR), failures: 0, lastError: null, refusedImport: null },
  ...more,
});
const source = (more: Partial<SourceStatus> = {}): SourceStatus => ({
  ...{
    source: "eIDAS",
    jurisdiction: "FI",
    loaded: true,
    published: iso(NOW - 3 * DAY),
    fetchedAt: iso(NOW - 2 * DAY),
  },
  ...{ nextUpdate: iso(NOW + 30 * DAY), stale: false, refresh: refresh() },
  ...more,
});
const REGISTER = source({ source: "nca", nextUpdate: null, refresh: null });

function statusOf(lists: SourceStatus[], registers: SourceStatus[] = [REGISTER], crls: object = {}): Status {
  const counts = { sequenceNumber: 1, services: 1, anchors: 1, snapshot: null, psps: 1, agents: 0, refused: 0 };
  const trustedLists = lists.map((list) => ({ ...list, ...counts }));
  const facts = registers.map((register) => ({
    ...register,
    ...counts,
    kept: [],
    undated: [],
    awaited: [],
    dated: null,
  }));
  const reasons = findReasons(trustedLists, facts, null, [], NOW);
  return {
    ...{ status: "up", reasons, holes: [], crls: { loaded: 2, nextUpdate: iso(NOW + DAY), refresh: null, ...crls } },
    trustedLists,
    registers: facts,
  } as Status;
}
const sources = (...args: Parameters<typeof statusOf>) => said(findSources(statusOf(...args), command, NOW));

describe("sources", () => {
  test("that are current have one line each, with their ages", () => {
    expect(sources([source()])).toEqual([
      ["good", "trusted list eIDAS FI: published 3 days ago, next update in 30 days, fetched 60 min ago", null],
      ["good", "register nca FI: published 3 days ago, fetched 2 days ago", null],
      ["good", "kept CRLs: 2, the first ends in 24 h", null],
    ]);
  });

  test("of which none is loaded are the first thing to do", () => {
    const [lists, registers] = sources([], []);
    expect(lists).toEqual([
      "to do",
      "no trusted list is loaded: no certificate has a QTSP",
      "fetch them: npm run admin -- refresh --only trust --remote; or import files: npm run admin -- trust import FILE... --remote",
    ]);
    expect(registers?.[2]).toContain("register import FILE");
  });

  test("that failed once are no thing to do yet; five times are", () => {
    const failed = (failures: number) =>
      sources([
        source({ refresh: refresh({ failures, lastError: { at: iso(NOW - HOUR), message: "no answer" } }) }),
      ])[0];
    expect(failed(1)).toEqual([
      "good",
      "trusted list eIDAS FI: published 3 days ago, next update in 30 days, fetched 60 min ago; the last refresh failed 60 min ago: no answer; next in 60 min",
      null,
    ]);
    expect(failed(5)).toEqual([
      "to do",
      "the trusted list eIDAS FI could not be refreshed 5 times: no answer",
      expect.stringContaining("npm run admin -- refresh --only trust --remote"),
    ]);
  });

  test.each<[what: string, lists: SourceStatus[], registers: SourceStatus[], todo: string]>([
    ["an eIDAS list", [source({ stale: true })], [REGISTER], "refresh --only trust --remote"],
    [
      "a list that was imported",
      [source({ source: "sandbox", stale: true })],
      [REGISTER],
      "trust import FILE --remote",
    ],
    ["the EBA's register", [source()], [source({ source: "eba", stale: true })], "refresh --only eba --remote"],
    ["an NCA's register", [source()], [source({ source: "nca", stale: true })], "register import FILE --remote"],
  ])("that are stale, such as %s, are renewed by their own command", (_, lists, registers, todo) => {
    const found = sources(lists, registers).filter(([state]) => state === "to do");
    expect(found).toEqual([["to do", expect.stringContaining(" FI is "), expect.stringContaining(todo)]]);
  });

  test("of one kind and country are not blamed for another's", () => {
    const lists = [source({ stale: true }), source({ source: "OBIE" }), source({ jurisdiction: "SE" })];
    expect(sources(lists, [source({ source: "eba" })]).map(([state]) => state)).toEqual([
      "to do",
      "good",
      "good",
      "good",
      "good",
    ]);
  });

  test("that were never loaded, and imports that were refused, are told", () => {
    const missing = source({ loaded: false, published: null, fetchedAt: null, nextUpdate: null });
    expect(sources([source(), missing])[1]).toEqual([
      "to do",
      "trusted list eIDAS FI: not loaded",
      "wait for the next refresh, or run it: npm run admin -- refresh --remote",
    ]);
    const refused = { at: iso(NOW - DAY), message: "older than the loaded one" };
    expect(sources([source({ refresh: refresh({ refusedImport: refused }) })])[0]?.[1]).toContain(
      "; an import by hand was refused 24 h ago: older than the loaded one",
    );
  });

  test("kept CRLs that have ended are fetched", () => {
    const crls = (nextUpdate: string | null) => sources([source()], [REGISTER], { nextUpdate }).at(-1);
    expect(crls(iso(NOW - 1))).toEqual([
      "to do",
      "kept CRLs: 2, the first ended now",
      "fetch them: npm run admin -- refresh --only crl --remote",
    ]);
    expect(crls(iso(NOW))?.[0]).toBe("good");
    expect(crls(null)?.[1]).toBe("kept CRLs: 2");
  });
});

describe("token keys", () => {
  const [OLD, NEW] = ["20260101T000000Z", "20261101T000000Z"];
  const keys = (kids: string[], live: Record<string, number> = {}, now = NOW) =>
    said(findKeys(kids, new Map(Object.entries(live)), 3_600, command, now));

  test("none: one is made", () => {
    expect(keys([])).toEqual([
      ["to do", "there is no token key: no token can be made", "make one: npm run admin -- key rotate --remote"],
    ]);
  });

  test("are listed with age, use, and whether one may go", () => {
    expect(keys([OLD, NEW], { [OLD]: 0, [NEW]: 1 })).toEqual([
      [
        "good",
        `${OLD} verifies, made 325 days ago, 0 live access tokens; nothing needs it (npm run admin -- key remove ${OLD} --remote)`,
        null,
      ],
      ["good", `${NEW} signs, made 21 days ago, 1 live access token`, null],
    ]);
    expect(keys([OLD, NEW], { [OLD]: 2 })[0]?.[1]).toBe(`${OLD} verifies, made 325 days ago, 2 live access tokens`);
  });

  test.each<[string, string[], boolean, boolean, string | null, RegExp]>([
    ["each is sealed", ["A", "B"], false, true, "good", /each key has a sealed file here/],
    ["one is not", ["A"], true, true, "to do", /^B: no sealed file is here.* copy its sealed file here, or make a key/],
    ["none is", [], false, false, "to do", /^A, B: .* set KEY_RECIPIENT in wrangler\.toml .*key rotate --remote, and/],
    ["another machine has them", [], true, false, "good", /on another machine/],
  ])("custody: %s", (_, sealed, recipient, hasFolder, state, text) => {
    const [found, ...rest] = findCustody(["A", "B"], sealed, { recipient, hasFolder }, command);
    expect([found?.state, rest]).toEqual([state, []]);
    expect(`${found?.message} ${found?.todo}`).toMatch(text);
  });

  test("may go only when the last CCG token by it has ended", () => {
    const rotated = Date.parse("2026-11-01T00:00:00Z");
    const ended = rotated + 5 * 60_000 + HOUR;
    expect(keys([OLD, NEW], {}, ended - 1)[0]?.[1]).not.toContain("nothing needs it");
    expect(keys([OLD, NEW], {}, ended)[0]?.[1]).toContain("nothing needs it");
  });

  test.each<[what: string, kid: string, state: string]>([
    ["of a year and a day", "20251121T000000Z", "good"],
    ["of more than that", "20251120T235959Z", "to do"],
    ["of this moment", "20261122T000000Z", "good"],
    ["of a moment to come", "20261122T000001Z", "to do"],
    ["with a name of its own", "main", "good"],
  ])("the one that signs, %s", (_, kid, state) => {
    expect(keys([kid])[0]?.[0]).toBe(state);
  });

  test("that are gone while live tokens need them are put back", () => {
    expect(keys([NEW], { [OLD]: 3 })[1]).toEqual([
      "to do",
      `${OLD}: live tokens need this key, and it is gone: they are refused`,
      `put its secret back (TOKEN_KEY_${OLD}); else PSPs need new tokens`,
    ]);
  });
});

describe("room for further keys", () => {
  const month = (i: number) => ({
    kid: `key-${i}`,
    x: Buffer.alloc(32, i).toString("base64url"),
    madeAt: i * 30 * 86_400,
  });
  const keys = Array.from({ length: 54 }, (_, i) => month(i));
  const room = (others: number, now: number) => said(findRoom(others, keys, 2_557, now));

  test("is not spoken of while there is some", () => {
    expect(room(49, NOW)).toEqual([]);
  });

  test("is made by signing keys whose records are all deleted", () => {
    const second = keys[1] as ReturnType<typeof month>;
    const end = (second.madeAt + 300) * 1000 + 2_557 * DAY;
    expect(room(50, end)).toMatchObject([
      ["to do", expect.stringContaining("104 variables"), expect.stringMatching(/more seldom/)],
    ]);
    const name = `SIGNING_KEY_key-0_${"00".repeat(32)}`;
    expect(room(50, end + 1)[0]?.[2]).toMatch(new RegExp(`jwks.json.*secret delete ${name}$`));
  });
});

test.each<[aheadMs: number, state: string, message: string]>([
  [0, "good", "this machine's clock agrees with that of lists.example"],
  [5_000, "good", "this machine's clock agrees with that of lists.example"],
  [-5_000, "good", "this machine's clock agrees with that of lists.example"],
  [5_001, "to do", "this machine's clock is 5 s ahead of that of lists.example"],
  [-3 * HOUR, "to do", "this machine's clock is 3 h behind that of lists.example"],
])("a clock that is %d ms ahead", (aheadMs, state, message) => {
  expect(judgeClock({ source: "lists.example", aheadMs })).toMatchObject({ area: "clock", state, message });
});

test("a clock that nothing answers for is unknown", () => {
  expect(judgeClock(null)).toMatchObject({ state: "unknown", todo: expect.stringContaining("LOTL_URL") });
});

describe("the root of trust", () => {
  test("is good while signers are valid for long, and to be renewed when the last ends", () => {
    const root = (now: number) => said(findRoot(readRootOfTrust(null, now), now))[0];
    expect(root(NOW)).toEqual([
      "good",
      expect.stringMatching(/^no list of lists is loaded; 6 of 6 pinned signers are valid, until 2027-\d\d-\d\d, /),
      null,
    ]);
    const after = Date.parse("2040-01-01T00:00:00Z");
    expect(root(after)).toEqual([
      "to do",
      "no list of lists is loaded; 0 of 6 pinned signers are valid, until no day",
      expect.stringContaining("Official Journal"),
    ]);
    const between = root(Date.parse("2027-05-01T00:00:00Z"));
    expect([between?.[0], between?.[1]]).toEqual(["good", expect.stringContaining("5 of 6 pinned signers")]);
  });
});

describe("all findings together", () => {
  const [fine, told, work, open] = [
    good("clock", "fine"),
    note("clock", "could be", "choose"),
    toDo("sources", "old", "fetch it"),
    unknown("stores", "silent", "look"),
  ];

  test("something to do counts more than something unknown", () => {
    expect(
      [[], [fine], [fine, told], [fine, open], [open, work, fine]].map((list) => [
        stateOf(list),
        exitCodeOf(stateOf(list)),
      ]),
    ).toEqual([
      ["good", 0],
      ["good", 0],
      ["good", 0],
      ["unknown", 3],
      ["to do", 1],
    ]);
  });

  test("are drawn by area, each with what to do below it", () => {
    expect(describeFindings([fine, work, work, open], PLAIN).split("\n")).toEqual([
      "✗ to be done: 2",
      ...["", "stores", "  ? silent", "    → look"],
      ...["", "sources", "  ✗ old", "    → fetch it", "  ✗ old", "    → fetch it"],
      ...["", "clock", "  ✓ fine"],
    ]);
    expect(describeFindings([fine], PLAIN).split("\n")[0]).toBe("✓ nothing is to be done");
    expect(describeFindings([fine, open], PLAIN).split("\n")[0]).toBe("? could not be found out: 1");
    expect(describeFindings([told], PLAIN).split("\n")).toEqual([
      "✓ nothing is to be done",
      ...["", "clock", "  ! could be", "    → choose"],
    ]);
    for (const area of AREAS) expect(describeFindings([good(area, "fine")], PLAIN)).toContain(`\n${area}\n`);
  });
});
