/** OWASP's recommendation for scrypt; about 0.4 seconds and 128 MB for each attempt. */
export const passwordCost = { N: 131_072, r: 8, p: 1 } as const
