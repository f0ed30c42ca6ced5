/** The base path of the console on its host: empty at the root, otherwise a path such as `/elasticjob`. */
export const base: string = (
  document.querySelector('meta[name="elasticjob-base"]')?.getAttribute('content') ?? ''
).replace(/^\.?\/$|\/$/u, '')
