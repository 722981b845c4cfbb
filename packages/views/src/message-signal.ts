/** The signal that is a person's message; every other is a trigger. */
export const MESSAGE_SIGNAL = "message";
