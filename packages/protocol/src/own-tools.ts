/** Tools that no operator binds: the runtime itself is what they stand for. */

/** The tool that is another run: what it is given is that run's input. */
export const HANDOFF_TOOL = "turnseal.handoff";

/**
 * The tool that is somebody outside: what it is given is asked, and what is answered is its output.
 */
export const QUESTION_TOOL = "turnseal.question";
