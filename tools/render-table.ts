/** Tables of Markdown. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A name as code. */
export function code(name: string): string {
  return `\`${name}\``;
}

export function codes(names: readonly string[]): string {
  return names.map(code).join(", ");
}

/** Names as code, the last of them after "or". */
export function alternatives(names: readonly string[]): string {
  const last = names.slice(-1).map(code);
  const others = codes(names.slice(0, -1));
  return [...(others === "" ? [] : [others]), ...last].join(" or ");
}
