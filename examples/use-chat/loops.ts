/** The agent of the chat example, for another page: nothing about it is the page's business. */
import { agents as all } from "../chat/loops.ts";

export { lookup, models, refund, support } from "../chat/loops.ts";

export const agents = { support: all.support };
