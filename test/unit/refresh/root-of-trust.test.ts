/** The root of trust as `status` tells it: its signers, and what to do when the list of lists announces others. */
import { expect, test } from "vitest";
import { PINNED, SIGNERS } from "../../../fixtures/suites/trusted-lists/list-world.ts";
import { PLAIN } from "../../../src/cli/output.ts";
import { describeStatus } from "../../../src/cli/status/text.ts";
import { toBase64 } from "../../../src/platform/encoding.ts";
import { readRootOfTrust } from "../../../src/refresh/root-of-trust.ts";
import { PINNED_JOURNAL } from "../../../src/trust/lists/pinned-signers.ts";
import { LIST_MIME_TYPE } from "../../../src/trust/lists/scheme.ts";
import { parseCertificate } from "../../../src/x509/certificate.ts";
import { madeStatus } from "../cli/made-status.ts";

const DAY_MS = 86_400_000;
/** The last end of a pinned signer. */
const ENDS = Math.max(...PINNED.map((der) => parseCertificate(der).notAfter));
const NOW = ENDS - 365 * DAY_MS;
/** A list of lists that names these certificates for itself. */
const listOfLists = (signers: readonly Uint8Array[]) => ({
  sequenceNumber: 30,
  ...{ pins: "", pinnedSoFar: [] },
  pointers: [
    {
      ...{ territoryOnList: "EU", location: "https://lists.example/eu-lotl.xml", mimeType: LIST_MIME_TYPE },
      ...{ signers: signers.map(toBase64), operatorName: null },
    },
  ],
});
const next = SIGNERS.present.map(({ der }) => der);

test("nothing is to be done while the loaded list of lists names pinned signers only", () => {
  const root = readRootOfTrust(listOfLists(PINNED), NOW, { pinned: PINNED });
  expect(root).toMatchObject({ listOfLists: 30, announced: [], retired: [], advice: null });
  expect(root.signers).toEqual(
    PINNED.map((der) => {
      const { fingerprint, notAfter } = parseCertificate(der);
      return { subject: expect.any(String), validUntil: new Date(notAfter).toISOString(), sha256: fingerprint };
    }),
  );
});

test("signers that it announces are named, with what to check, where to put them, and the command until then", () => {
  const { announced, advice } = readRootOfTrust(listOfLists([...PINNED, ...next]), NOW, { pinned: PINNED });
  expect(announced.map(({ sha256 }) => sha256)).toEqual(next.map((der) => parseCertificate(der).fingerprint));
  expect(advice).toContain("Official Journal");
  expect(advice).toContain("src/trust/lists/pinned-signers.ts");
  expect(advice).toContain("trust import eu-lotl.xml --pivot PIVOT.xml");
});

test("pinned signers that it names no longer are told, with what they still could do", () => {
  const [kept = new Uint8Array(), gone = new Uint8Array()] = PINNED;
  const { retired, advice } = readRootOfTrust(listOfLists([kept]), NOW, { pinned: PINNED });
  expect(retired.map(({ sha256 }) => sha256)).toEqual([parseCertificate(gone).fingerprint]);
  expect(advice).toContain("1 pinned signers are no longer named");
  // one that names nobody for itself retires nobody
  expect(readRootOfTrust(listOfLists([]), NOW, { pinned: PINNED })).toMatchObject({ retired: [], advice: null });
});

test("the last pinned signer's end is told 90 days ahead", () => {
  expect(readRootOfTrust(null, ENDS - 90 * DAY_MS, { pinned: PINNED }).advice).toBeNull();
  const { advice, listOfLists: loaded } = readRootOfTrust(null, ENDS - 90 * DAY_MS + 1, { pinned: PINNED });
  expect(loaded).toBeNull();
  expect(advice).toContain(new Date(ENDS).toISOString());
});

test.each([
  ["no list of lists is loaded", null, "none loaded", "unknown"],
  ["the loaded one names pinned signers only", listOfLists(PINNED), "number 30", "none"],
  ["it names others", listOfLists([...PINNED, ...next]), "number 30", `${next.length}`],
])("`status` says what is announced, and does not deny what it cannot know: %s", (_, loaded, number, announced) => {
  const rootOfTrust = readRootOfTrust(loaded, NOW, { pinned: PINNED });
  const text = describeStatus(madeStatus(NOW, { rootOfTrust }), NOW, PLAIN);
  expect(text).toContain(`list of lists: ${number}\n`);
  expect(text).toContain(`not pinned: ${announced}`);
});

test.each<[what: string, journal: string | undefined, advice: string | null]>([
  ["the one of the pinned signers", PINNED_JOURNAL, null],
  ["none", undefined, null],
  ["another", "https://eur-lex.europa.eu/eli/C/2030/1/oj", "Compare them with it (src/trust/lists/pinned-signers.ts)"],
])("a list of lists that names %s of the Journal's notices", (_, journal, advice) => {
  const loaded = { ...listOfLists(PINNED), ...(journal && { journal }) };
  const told = readRootOfTrust(loaded, NOW, { pinned: PINNED }).advice;
  expect(told ?? "").toContain(advice ?? "");
  expect(told === null).toBe(advice === null);
});

test.each<[what: string, fetchedFrom: string | null, moved: boolean]>([
  ["is fetched from there", "https://lists.example/eu-lotl.xml", false],
  ["is fetched from a mirror of the operator's own", "https://mirror.example/eu-lotl.xml", false],
  ["is fetched from where its publisher had it", "https://ec.europa.eu/tools/lotl/eu-lotl.xml", true],
  ["is fetched from a name that only looks like the publisher's", "https://ec.europa.eu.example/eu-lotl.xml", false],
  ["is loaded by hand", null, false],
])("a list of lists says where it is published, and %s", (_, fetchedFrom, moved) => {
  const { advice } = readRootOfTrust(listOfLists(PINNED), NOW, { pinned: PINNED, fetchedFrom });
  expect(advice).toBe(
    moved
      ? `The list of lists says that it is published at https://lists.example/eu-lotl.xml, and LOTL_URL is ${fetchedFrom}: set it and deploy`
      : null,
  );
});
