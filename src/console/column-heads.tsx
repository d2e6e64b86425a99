interface ColumnHeadsProps {
  readonly names: readonly string[];
  /** Of columns of numbers. */
  readonly numbers?: readonly string[];
}

/** The head of a table whose rows can be acted on: that column is last, and its head is only read aloud. */
export const ColumnHeads = ({ names, numbers = [] }: ColumnHeadsProps) => (
  <tr>
    {names.map((name) => (
      <th scope="col" class={numbers.includes(name) ? "number" : undefined}>
        {name}
      </th>
    ))}
    <th scope="col">
      <span class="out">What can be done</span>
    </th>
  </tr>
);
