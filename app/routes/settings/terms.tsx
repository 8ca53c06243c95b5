export function Terms() {
  return (
    <details className="terms">
      <summary>Read the terms and conditions</summary>
      <p>
        Your company provides this platform to you for learning at work. Your account is yours alone: keep
        your password to yourself, and tell your administrator if someone else might know it.
      </p>
      <p>
        Your answers are kept for your company. Each question says who can see yours: only you, your sponsor,
        the journey’s author and your administrators, or nobody, with answers counted only together with those
        of at least four others.
      </p>
      <p>
        Lifts reach you by e-mail or, if you agree to it, by text message. Message and data rates may apply;
        reply STOP to any text to end them.
      </p>
      <p>You can ask your administrator at any time for what is stored about you, and for its removal.</p>
    </details>
  )
}
