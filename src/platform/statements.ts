/**
 * SQL whose parameters have names: `:account`. The stores know numbers only. A statement with few, or an INSERT of values in
 * the order of its columns, is as clear with numbers.
 */

type Value = string | number | null | ArrayBuffer;

/** Of the parameters of the SQL. There may be more: the statements of a batch can share them. */
export type Values = Readonly<Record<string, Value>>;

/** No SQL of this service has a colon in a text. */
const PARAMETER = /:([a-z]\w*)/gi;

/** With numbers, and the values in their order: what `exec` of a Durable Object takes. Throws RangeError if one is missing. */
export function named(sql: string, values: Values): [sql: string, ...values: Value[]] {
  const names = [...new Set([...sql.matchAll(PARAMETER)].map(([, name = ""]) => name))];
  const numbered = sql.replace(PARAMETER, (_, name: string) => `?${names.indexOf(name) + 1}`);
  const bound = names.map((name) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new RangeError(`no value for :${name}`);
    return value;
  });
  return [numbered, ...bound];
}

/** A statement of D1, bound as by {@link named}. */
export function bindNamed(db: Pick<D1Database, "prepare">, sql: string, values: Values): D1PreparedStatement {
  const [numbered, ...bound] = named(sql, values);
  return db.prepare(numbered).bind(...bound);
}
