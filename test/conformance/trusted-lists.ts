/**
 * Published trusted lists: a JSON file lists the files beside it. Each is to be taken, and then reads as it says, or to
 * be refused. The list of lists among them names the signers of the others.
 */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { acceptTrustedList } from "../../src/trust/lists/accept.ts";
import type { Refusal } from "../../src/trust/lists/elements.ts";
import type { Pointer } from "../../src/trust/lists/scheme.ts";
import { readPems } from "./pem.ts";
import type { CaseAnswer, SuiteCase, SuiteKind } from "./suite.ts";

const TAKEN = z.object({
  version: z.number(),
  sequenceNumber: z.number(),
  issued: z.string(),
  nextUpdate: z.string().nullable(),
  trustServiceProviders: z.number(),
  services: z.number(),
  caQc: z.number(),
  caQcGranted: z.number(),
  caQcGrantedForWebSiteAuthentication: z.number(),
  caQcGrantedForeSeals: z.number(),
  signatureAlgorithm: z.string(),
});

/** By default: the pinned signers of production, no pivots, the list of lists of the suite, and no other list loaded. */
const CIRCUMSTANCES = z.object({
  file: z.string(),
  /** Files beside the suite: PEM of the signers, and the pivots, oldest first. */
  pinned: z.array(z.string()).optional(),
  pivots: z.array(z.string()).default([]),
  listOfLists: z.boolean().default(true),
  /** Sequence number by territory. */
  loaded: z.record(z.string(), z.int()).default({}),
});

const entry = z.discriminatedUnion("take", [
  CIRCUMSTANCES.extend({ take: z.literal(true), territory: z.string(), ...TAKEN.shape }),
  /** `reason`: the rule that refuses it, where one certain rule must. */
  CIRCUMSTANCES.extend({ take: z.literal(false), why: z.string(), reason: z.string().optional() }),
]);
const suite = z.array(entry).min(1);

type Entry = z.infer<typeof entry>;

const LIST_OF_LISTS = "EU";

export const trustedListSuites: SuiteKind = {
  name: "trusted lists",
  recognises: ({ json }) =>
    z
      .array(z.object({ file: z.string(), take: z.boolean() }))
      .min(1)
      .safeParse(json).success,
  read: ({ path, json }, now) => {
    const entries = suite.parse(json);
    const take = (each: Entry, pointers: readonly Pointer[] | null) => takeFile(dirname(path), each, pointers, now);
    const listOfLists = entries.find((each) => each.take && each.territory === LIST_OF_LISTS);
    const findPointers = async () => {
      const taken = listOfLists === undefined ? null : await take(listOfLists, null);
      return taken?.ok ? taken.list.pointers : null;
    };
    let pointers: ReturnType<typeof findPointers> | null = null;
    const judge = async (each: Entry) => {
      pointers ??= findPointers();
      return describe(each, await take(each, each.listOfLists ? await pointers : null));
    };
    return entries.map((each) => toCase(each, judge));
  },
};

async function takeFile(
  folder: string,
  { file, pinned, pivots, loaded }: Entry,
  pointers: readonly Pointer[] | null,
  now: number,
) {
  const read = (name: string) => readFile(join(folder, name));
  return await acceptTrustedList({
    bytes: await read(file),
    ...(pinned
      ? { pinned: (await Promise.all(pinned.map(read))).flatMap((pem) => readPems(pem.toString("latin1"))) }
      : {}),
    pivots: await Promise.all(pivots.map(read)),
    pointers,
    loaded: new Map(Object.entries(loaded).map(([territory, sequenceNumber]) => [territory, { sequenceNumber }])),
    now,
  });
}

const toCase = (each: Entry, judge: (each: Entry) => Promise<CaseAnswer>): SuiteCase => ({
  id: each.file,
  expected: each.take ? "taken" : "refused",
  expectsAccept: each.take,
  run: () => judge(each),
});

function describe(each: Entry, taken: Awaited<ReturnType<typeof acceptTrustedList>>): CaseAnswer {
  if (!taken.ok) return describeRefusal(each, taken);
  if (!each.take) return answer(true, "taken", "every rule held");
  const { list } = taken;
  const differing = [
    ...(list.territoryOnList === each.territory ? [] : [`territory ${list.territoryOnList}`]),
    ...TAKEN.keyof().options.flatMap((field) => (list[field] === each[field] ? [] : [`${field} ${list[field]}`])),
  ];
  return differing.length === 0
    ? answer(true, "taken", "read as expected")
    : answer(false, "taken, but read otherwise", differing.join(", "));
}

/** A refusal for another reason than the named one does not pass: the rule under test may not have been applied at all. */
function describeRefusal(each: Entry, { reason, message }: Refusal): CaseAnswer {
  const other = !each.take && each.reason !== undefined && each.reason !== reason;
  return answer(other, other ? "refused by another rule" : "refused", `${reason}: ${message}`);
}

const answer = (accepted: boolean, actual: string, reason: string): CaseAnswer => ({
  accepted,
  actual,
  reason,
  notApplicable: null,
});
