/**
 * The lists that refresh tests serve from loopback: the repo's own test lists always, and the published lists where they
 * are available. Each set has a list of lists and three national lists.
 */
import {
  LIST_OF_LISTS_NUMBER,
  LISTS,
  makeListOfLists,
  makePivots,
  nationalList,
} from "../../fixtures/suites/trusted-lists/list-world.ts";
import { makeRefusedList } from "../../fixtures/suites/trusted-lists/refused-lists.ts";
import { readShared, sharedData } from "../shared-data.ts";
import type { Sources } from "./sources.ts";

interface NationalList {
  /** As the list of lists spells it: the path at the source is `/{territory}.xml`. */
  readonly territory: string;
  /** ISO's code. */
  readonly jurisdiction: string;
  readonly bytes: Uint8Array;
  readonly number: number;
}

export interface ListWorld {
  readonly name: string;
  /** Sequence number of the list of lists. */
  readonly number: number;
  /** The list that the tests make fail. It is past its next update. */
  readonly first: NationalList & { readonly anchorNames: number };
  readonly others: readonly [NationalList, NationalList];
  /** The first list's, without its signature. */
  readonly unsigned: Uint8Array;
  /** Serves the list of lists, and its pivots where it needs them. */
  readonly serveListOfLists: (sources: Sources) => Promise<void>;
}

async function makeOwnWorld(): Promise<ListWorld> {
  return {
    name: "of our own",
    number: LIST_OF_LISTS_NUMBER,
    first: {
      ...{ territory: "XB", jurisdiction: "XB", bytes: await nationalList("XB") },
      ...{ number: LISTS.XB.sequenceNumber, anchorNames: 4 },
    },
    others: [
      { territory: "EL", jurisdiction: "GR", bytes: await nationalList("EL"), number: LISTS.EL.sequenceNumber },
      { territory: "XA", jurisdiction: "XA", bytes: await nationalList("XA"), number: LISTS.XA.sequenceNumber },
    ],
    unsigned: (await makeRefusedList("no signature")).bytes,
    serveListOfLists: async (sources) => {
      sources.file("/eu-lotl.xml", await makeListOfLists(sources.url));
      for (const [path, bytes] of await makePivots()) sources.file(path, bytes);
    },
  };
}

const published = (file: string) => new TextEncoder().encode(readShared(`trusted-lists/${file}`));

const makePublishedWorld = (): ListWorld => ({
  name: "as published",
  number: 390,
  first: { territory: "FI", jurisdiction: "FI", bytes: published("FI.xml"), number: 54, anchorNames: 19 },
  others: [
    { territory: "EL", jurisdiction: "GR", bytes: published("EL.xml"), number: 85 },
    { territory: "SE", jurisdiction: "SE", bytes: published("SE.xml"), number: 62 },
  ],
  unsigned: published("broken/CZ-no-sig.xml"),
  serveListOfLists: async (sources) => sources.file("/eu-lotl.xml", published("EU-LOTL.xml")),
});

export const OWN_LISTS: ListWorld = await makeOwnWorld();
export const LIST_WORLDS: readonly ListWorld[] = [OWN_LISTS, ...(sharedData ? [makePublishedWorld()] : [])];
