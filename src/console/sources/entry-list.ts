/** What a search of the registers finds as a file has it: a row for each category of an entry. */
import type { Instant } from "../../platform/instant.ts";
import { type DescribedEntry, describeEntry, searchRegisters } from "../../registers/search.ts";
import { type ListFile, MAX_RECORDS, members, PART_RECORDS, readPosition } from "../list-file.tsx";

type Row = DescribedEntry & { readonly category: DescribedEntry["categories"][number] };

export function entryList(kv: KVNamespace, sought: string, country: string | null, now: Instant): ListFile<Row> {
  let search: ReturnType<typeof searchRegisters> | undefined;
  return {
    name: "registers",
    columns: {
      ...members("country", "source", "authorisation_number", "psp_id"),
      names: ({ names }) => names.join("; "),
      other_numbers: ({ numbers }) => numbers.map(({ kind, number }) => `${kind} ${number}`).join("; "),
      found_by: ({ linked }) => linked.map(({ number }) => number).join("; "),
      ...members("as_of"),
      category: ({ category }) => category.category,
      status: ({ category }) => category.status,
      payment_services: ({ category }) => category.services.join(" "),
      countries_abroad: ({ category }) => category.abroad.map((one) => one.country).join(" "),
    },
    read: async ({ after }) => {
      const from = readPosition(after) ?? 0;
      const end = from + PART_RECORDS;
      search ??= searchRegisters(kv, sought, country, from + MAX_RECORDS + 1);
      const { entries } = await search;
      const rows = entries.slice(from, end).flatMap((entry) => {
        const described = describeEntry(entry, now);
        return described.categories.map((category) => ({ ...described, category }));
      });
      return { rows, next: end < entries.length ? { after: String(end) } : null };
    },
  };
}
