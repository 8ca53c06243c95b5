/** Converts the file of a form into the logo of a call. */
import type { LogoInput } from '#app/domain/tenants/logo.ts'

type Sent = { logo?: File | undefined; remove_logo: boolean }

/** No key: the logo stays. Null: it is removed. */
export async function readLogo({ logo, remove_logo }: Sent): Promise<{ logo?: LogoInput | null }> {
  if (!logo) return remove_logo ? { logo: null } : {}
  const base64 = Buffer.from(await logo.arrayBuffer()).toString('base64')
  return { logo: { base64, file_name: logo.name, file_type: logo.type } }
}
