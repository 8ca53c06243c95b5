export function TestBanner() {
  return (
    <p className="lift-test" role="status">
      <strong>Test.</strong> This is the lift as it is saved now. Nothing here is stored or counted.
    </p>
  )
}
