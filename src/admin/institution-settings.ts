/** What `fi set` changes of an institution. A setting that is left out stays as it is. */
export interface InstitutionChanges {
  readonly name?: string;
}

const CHANGE = "UPDATE financial_institutions SET name = coalesce(?2, name) WHERE fi_reference_id = ?1";

/** Returns whether an institution with that reference exists. */
export async function changeInstitution(
  db: D1Database,
  fiReferenceId: string,
  { name }: InstitutionChanges,
): Promise<boolean> {
  return (
    (
      await db
        .prepare(CHANGE)
        .bind(fiReferenceId, name ?? null)
        .run()
    ).meta.changes > 0
  );
}
