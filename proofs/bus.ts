import { wholeNumber } from "../tools/command/options.ts";
import { isKept, runBus } from "./bus/run-bus.ts";
import { prove } from "./kit/prove.ts";

await prove(
  {
    name: "proof bus",
    about: [
      "Events for a group of consumers on a Redis server of its own. Consumers are killed with events",
      "in hand, and the server is killed once. No event may be lost, and none may come again that was",
      "acknowledged. Exits with 1 when one does.",
    ],
    needs: "redis-server",
    lasts: "a minute for 2,000 events",
    options: {
      events: wholeNumber({ takes: "events", says: "in all", default: 2_000, atLeast: 10 }),
      consumers: wholeNumber({ takes: "consumers", says: "of the group", default: 4, atLeast: 1 }),
      kills: wholeNumber({ takes: "times", says: "a consumer is killed", default: 20, atLeast: 1 }),
    },
  },
  async (request, say) => {
    const figures = await runBus({ ...request, say });
    return { figures, pass: isKept(figures) };
  },
);
