"""Differentially private estimators as typed graphs, checked and priced before any data is read."""
