"""Operations on private values that one paper or one learner alone needs."""
