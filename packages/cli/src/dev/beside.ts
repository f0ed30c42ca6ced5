/** A module beside another one, whether that is the source or what was compiled from it. */
export function beside(module: string, name: string): URL {
  return new URL(`${name}.${module.endsWith('.ts') ? 'ts' : 'js'}`, module)
}
