/** That a run waits for its provider, and what has it asked again. */
import type { AwaitedProvider } from "@turnseal/views";
import { type Line, line, renderNext, toned } from "../screen/line.ts";
import { renderDetail } from "../screen/render-field.ts";
import { shortId } from "../screen/short-id.ts";

/** Renders what is wrong, until when it is waited for, and the next command. */
export function renderProvider(run: string, provider: AwaitedProvider): Line[] {
  return [
    line(toned("warning", "waiting for the provider"), `  ${run}`),
    ...renderDetail("cause", provider.words),
    ...renderDetail("try", provider.next),
    ...renderDetail("since", provider.since),
    ...renderDetail("asked", describeWhen(provider)),
    ...renderDetail("repeats", describeRepeats(provider)),
    renderNext(`${retryCommand(run, provider)}  (asks again now)`),
  ];
}

interface NextTry {
  readonly until?: string | undefined;
  readonly parked?: AwaitedProvider["parked"];
}

/** When the provider is asked again, or why it is not. */
export function describeWhen({ until, parked }: NextTry): string {
  if (until !== undefined) return `again by itself at ${until}`;
  return `not again by itself: ${parked?.words ?? "the run is parked"}`;
}

/** The actions that another request to the provider repeats. */
export function describeRepeats({ repeats }: Repeating): string | undefined {
  if (repeats === undefined) return undefined;
  return `${repeats.join(", ")}: the turn starts anew, so what it did is done again`;
}

/** The command that has the provider asked again. */
export function retryCommand(run: string, { repeats }: Repeating): string {
  return `turnseal resume ${shortId(run)}${repeats === undefined ? "" : " --again"}`;
}

type Repeating = Pick<AwaitedProvider, "repeats">;
