/** The folder of a command, as loops and grants name it. */

/** In the place of a path to loops: the verbs for this folder. */
export const WORKSPACE_VERBS = "turnseal:workspace";
/** The root that a command binds to the folder in which it runs. */
export const WORKSPACE_ROOT = "here";
