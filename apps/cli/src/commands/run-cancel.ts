import { cancelMessage } from "@turnseal/host";
import type { ExitCode } from "../exit-codes.ts";
import { readPerson } from "../local/read-person.ts";
import type { Terminal } from "../render/screen.ts";
import { type PutOptions, putMessage } from "./put-message.ts";
import { withRun } from "./with-run.ts";

/** `turnseal cancel`: asks a run to end. What it did until then is sealed. */
export function runCancel(
  run: string,
  options: PutOptions & { readonly terminal: Terminal },
): Promise<ExitCode> {
  return withRun(run, options, (named) => {
    // One person's wish is one wish, however often it is said.
    const by = readPerson();
    return putMessage(cancelMessage(named.known.run, { key: by, by }), named, options);
  });
}
