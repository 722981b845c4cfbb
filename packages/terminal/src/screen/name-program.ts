/** Commands in output as a person can type them: of a project that installed it, with `npx`. */
import type { Line, Span } from "./line.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Rename = (line: Line) => Line;

const TYPED = /^turnseal (?=[a-z])/;
const WITHIN = /\b((?:next|or|whole card): |hidden here: see )turnseal (?=[a-z])/g;

/** Changes what follows `next:` and the like; words of people and models stay as they are. */
export function nameProgram(environment: Environment): Rename {
  // npm and npx name the command that they run: its folder is not on the path of the shell.
  // npx quotes it.
  const isByNpm = /^(['"]?)turnseal\1(?: |$)/.test(environment["npm_lifecycle_script"] ?? "");
  return isByNpm ? renameSpans : (line) => line;
}

function renameSpans({ spans, ...rest }: Line): Line {
  const renamed = spans.map((span, at): Span => {
    const isCommand = spans[at - 1]?.text.endsWith(": ") === true;
    const text = isCommand ? span.text.replace(TYPED, "npx turnseal ") : span.text;
    return { ...span, text: text.replace(WITHIN, "$1npx turnseal ") };
  });
  return { ...rest, spans: renamed };
}
