export { type Session, useSession } from "./use-session.ts";
