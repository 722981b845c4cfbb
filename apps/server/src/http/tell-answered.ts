/** Reports each answered request, with the pattern of its route. */
import type { MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { ServerEnvironment } from "./environment.ts";

export interface Answered {
  readonly method: string;
  /** The pattern that the request fitted, such as `/v1/runs/:run`; `none` where it fitted none. */
  readonly route: string;
  readonly status: number;
  /** Until the answer began. */
  readonly seconds: number;
}

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "POST"]);

export function tellAnswered(
  onAnswered: (answered: Answered) => void,
): MiddlewareHandler<ServerEnvironment> {
  return async (context, next) => {
    const sinceMs = performance.now();
    await next();
    // Middleware in front of every route has a star in its pattern.
    const pattern = matchedRoutes(context).findLast(({ path }) => !path.includes("*"));
    onAnswered({
      // A client can send any method: only known ones are labels.
      method: METHODS.has(context.req.method) ? context.req.method : "other",
      route: pattern?.path ?? "none",
      status: context.res.status,
      seconds: (performance.now() - sinceMs) / 1_000,
    });
  };
}
