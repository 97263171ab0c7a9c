"""Networks as ONNX models, run by onnxruntime."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy
import onnxruntime

EXPORT = os.environ["MEEPLE_EXPORT_ONNX"]


class Onnx(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        subprocess.run([EXPORT, folder.name], check=True)
        self.said = json.loads((Path(folder.name) / "said.json").read_text())
        self.session = onnxruntime.InferenceSession(
            str(Path(folder.name) / "model.onnx"), providers=["CPUExecutionProvider"]
        )

    def test_outputs_are_equal(self) -> None:
        observations = numpy.array(self.said["observation"], dtype=numpy.int32)
        for rows in (1, len(observations)):
            policy, value = self.session.run(["policy", "value"], {"observation": observations[:rows]})
            numpy.testing.assert_allclose(policy, self.said["policy"][:rows], atol=1e-5)
            numpy.testing.assert_allclose(value, self.said["value"][:rows], atol=1e-5)
        self.assertGreater(numpy.std(policy), 0.01)
        self.assertGreater(numpy.std(value), 0.001)

    def test_the_model_describes_itself(self) -> None:
        (observation,) = self.session.get_inputs()
        self.assertEqual((observation.name, observation.type), ("observation", "tensor(int32)"))
        self.assertEqual(observation.shape[1], len(self.said["observation"][0]))
        self.assertEqual([output.name for output in self.session.get_outputs()], ["policy", "value"])


if __name__ == "__main__":
    unittest.main()
