/** The memory of parsed trust anchors, over a KV that counts what is read of it. */
import { expect, test } from "vitest";
import { makeCertificate } from "../../../fixtures/makers/made-pki.ts";
import { toBase64 } from "../../../src/platform/encoding.ts";
import { anchorsKey, findAnchors, type ListedAnchor, trustListKey } from "../../../src/trust/anchors.ts";

const NOW = Date.parse("2026-06-10T00:00:00Z");
const LIFETIME_MS = 30_000;
const LIST_OF_LISTS = trustListKey("eIDAS", "EU");
const { certificate } = makeCertificate({ subject: "CA" });

const listed = (encoded: string): ListedAnchor => ({
  certificate: encoded,
  source: "eIDAS",
  jurisdiction: "FI",
  qtspName: "QTSP",
  serviceName: "Service",
  periods: [],
  ...{ listSequenceNumber: 1, listIssuedAt: "2026-06-01T00:00:00Z", listNextUpdate: null },
});

/** Answers `entries` by subject name; `reads` are the keys of each round trip. */
function storeOf(entries: Record<string, ListedAnchor[]>, listOfLists: { nextUpdate: string } | null = null) {
  const reads: string[][] = [];
  const byKey = new Map<string, unknown>(Object.entries(entries).map(([name, value]) => [anchorsKey(name), value]));
  if (listOfLists) byKey.set(LIST_OF_LISTS, listOfLists);
  const get = async (keys: string[]) => {
    reads.push(keys);
    return new Map(keys.map((key) => [key, byKey.get(key) ?? null]));
  };
  return { kv: { get }, reads };
}

test("names are read once, all of them in one round trip, and again after half a minute", async () => {
  const { kv, reads } = storeOf({ A: [listed(toBase64(certificate.der))] });
  const find = (now: number, ...names: string[]) => findAnchors(kv, names, now);
  expect(await find(NOW, "A", "B", "A")).toMatchObject([{ certificate: { fingerprint: certificate.fingerprint } }]);
  expect(reads).toEqual([[anchorsKey("A"), anchorsKey("B"), LIST_OF_LISTS]]);
  expect(await find(NOW + LIFETIME_MS - 1, "B", "A")).toHaveLength(1);
  expect(await find(NOW, "B")).toEqual([]);
  expect(reads).toHaveLength(1);
  await find(NOW + 1, "A", "C");
  expect(reads[1]).toEqual([anchorsKey("C"), LIST_OF_LISTS]);
  await find(NOW + LIFETIME_MS, "A");
  expect(reads[2]).toEqual([anchorsKey("A"), LIST_OF_LISTS]);
});

test("an anchor of a published list has the end of the list of lists, read in the same round trip; no other anchor has", async () => {
  const end = "2027-01-27T13:16:38Z";
  const one = listed(toBase64(certificate.der));
  const { kv, reads } = storeOf({ D: [one, { ...one, source: "OBIE" }] }, { nextUpdate: end });
  const anchors = await findAnchors(kv, ["D"], NOW);
  expect(anchors.map(({ listed }) => listed.listOfListsNextUpdate)).toEqual([end, undefined]);
  expect(reads).toEqual([[anchorsKey("D"), LIST_OF_LISTS]]);
});

test("without a loaded list of lists an anchor of a published list says that there is none", async () => {
  const one = listed(toBase64(certificate.der));
  const { kv } = storeOf({ E: [one, { ...one, source: "OBIE" }] });
  const anchors = await findAnchors(kv, ["E"], NOW);
  expect(anchors.map(({ listed }) => listed.listOfListsNextUpdate)).toEqual([null, undefined]);
});

test("an entry whose certificate is not base64 is a fault of the store, and named", async () => {
  const { kv } = storeOf({ BROKEN: [listed("!")] });
  await expect(findAnchors(kv, ["BROKEN"], NOW)).rejects.toThrow("trust anchor eIDAS Service: not base64");
});
