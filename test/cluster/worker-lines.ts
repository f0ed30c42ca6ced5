/** What a worker and who started it say to each other: lines, apart from its log. */

/** What a worker says when its code is loaded, and what it waits for then. */
export const loadedLine = 'loaded'
export const joinLine = 'join'
/** What it says when it takes part in all jobs. */
export const readyLine = 'ready'
