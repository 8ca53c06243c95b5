import { Badge } from '#app/ui/badge.tsx'
import { Link } from '#app/ui/link.tsx'

/** The name of a row as its link; plain text without one. */
export function NameLink({ to, name, logo }: { to: string | null; name: string; logo: string | null }) {
  const words = (
    <>
      {logo ? <img src={logo} alt="" width={24} height={24} loading="lazy" /> : null}
      <span>{name}</span>
    </>
  )
  if (to === null) return <span className="name-link">{words}</span>
  return (
    <Link className="name-link" to={to} title={name}>
      {words}
    </Link>
  )
}

export function StatusBadge({ status }: { status: 'active' | 'inactive' }) {
  return status === 'active' ? <Badge tone="success">Active</Badge> : <Badge>Inactive</Badge>
}
