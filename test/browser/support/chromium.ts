import { type Browser, chromium } from 'playwright-core'

/** Debian's. */
export const chromiumPath = '/usr/bin/chromium'

/** It runs as whoever runs the tests, often root in a container, and is to call nobody. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })
}
