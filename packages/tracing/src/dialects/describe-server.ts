/** A server's address, without user and password. */
export function describeServer(product: string, url: string, defaultPort: number): string {
  const { hostname, port, pathname } = new URL(url)
  return `${product} ${hostname}:${port || defaultPort}${pathname}`
}
