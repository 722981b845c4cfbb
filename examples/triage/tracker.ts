// The world outside: what was really done to each issue, in order.
const lines: string[] = [];

export const tracker = {
  do: (number: number, did: string): { readonly number: number; readonly did: string } => {
    lines.push(`#${number} ${did}`);
    return { number, did };
  },
  lines: (): readonly string[] => lines,
};
