import type { CurrentUser } from '#app/domain/users/current-user.ts'
import { Mark } from '#app/ui/icons.tsx'
import { Link } from '#app/ui/link.tsx'

/** A sub-tenant's own name and logo; without a logo, its company's. */
export const brandOf = ({ current_tenant, current_sub_tenant }: CurrentUser) => {
  const { name, logo } = current_sub_tenant ?? current_tenant
  return { name, logo: logo ?? current_tenant.logo }
}

/** The logo if there is one, otherwise our mark; our own brand outside of all companies. */
export function Brand({ user }: { user: CurrentUser }) {
  const outside = user.is_super_admin && !user.is_impersonating
  const { name, logo } = outside ? { name: 'Liftwell', logo: null } : brandOf(user)
  return (
    <Link className="brand" to="/" title={name}>
      {logo ? <img className="brand-logo" src={logo} alt="" width={32} height={32} /> : <Mark />}
      <span className="brand-name">{name}</span>
    </Link>
  )
}
