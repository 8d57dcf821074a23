package archive

import (
	"bytes"
	"crypto/rand"
	"crypto/sha512"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"
)

// An archive may be signed: manifest.json.sig is a signature of manifest.json in the format of OpenSSH (PROTOCOL.sshsig),
// which 'ssh-keygen -Y verify' checks as well. The manifest has the hash of the log, and the log has the hashes of all
// texts and responses, so the signature covers the whole archive.
const (
	signatureName      = manifestName + ".sig"
	signatureNamespace = "citeloop-archive"
	signatureMagic     = "SSHSIG"
	signatureBlock     = "SSH SIGNATURE"
	signatureHash      = "sha512"
	maxSignatureBytes  = 64 << 10
)

// signatureEnvelope is a signature as it is stored, behind its magic bytes.
type signatureEnvelope struct {
	Version                      uint32
	PublicKey                    []byte
	Namespace, Reserved, HashAlg string
	Signature                    []byte
}

// signedMessage is what is signed, behind its magic bytes.
type signedMessage struct {
	Namespace, Reserved, HashAlg string
	Hash                         []byte
}

func signedBytes(message []byte) []byte {
	sum := sha512.Sum512(message)
	return append([]byte(signatureMagic), ssh.Marshal(signedMessage{signatureNamespace, "", signatureHash, sum[:]})...)
}

// ReadSigner reads a private key of OpenSSH without a passphrase.
func ReadSigner(name string) (ssh.Signer, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	signer, err := ssh.ParsePrivateKey(b)
	if missing := new(ssh.PassphraseMissingError); errors.As(err, &missing) {
		return nil, fmt.Errorf("the key needs a passphrase: %s; use a key without one", name)
	}
	if err != nil {
		return nil, fmt.Errorf("invalid private key: %s: %w", name, err)
	}
	return signer, nil
}

// sign returns the signature of a message.
func sign(signer ssh.Signer, message []byte) ([]byte, error) {
	var signature *ssh.Signature
	var err error
	if algorithms, ok := signer.(ssh.AlgorithmSigner); ok && signer.PublicKey().Type() == ssh.KeyAlgoRSA {
		signature, err = algorithms.SignWithAlgorithm(rand.Reader, signedBytes(message), ssh.KeyAlgoRSASHA512) // the default is SHA-1
	} else {
		signature, err = signer.Sign(rand.Reader, signedBytes(message))
	}
	if err != nil {
		return nil, fmt.Errorf("archive: sign: %w", err)
	}
	envelope := signatureEnvelope{1, signer.PublicKey().Marshal(), signatureNamespace, "", signatureHash, ssh.Marshal(signature)}
	return pem.EncodeToMemory(&pem.Block{Type: signatureBlock, Bytes: append([]byte(signatureMagic), ssh.Marshal(envelope)...)}), nil
}

// verifySignature returns the key that signed a message.
func verifySignature(message, armored []byte) (ssh.PublicKey, error) {
	invalid := damaged("its signature is invalid")
	block, _ := pem.Decode(armored)
	if block == nil || block.Type != signatureBlock || !bytes.HasPrefix(block.Bytes, []byte(signatureMagic)) {
		return nil, invalid
	}
	var envelope signatureEnvelope
	var signature ssh.Signature
	if ssh.Unmarshal(block.Bytes[len(signatureMagic):], &envelope) != nil || ssh.Unmarshal(envelope.Signature, &signature) != nil {
		return nil, invalid
	}
	key, err := ssh.ParsePublicKey(envelope.PublicKey)
	if err != nil || envelope.Version != 1 || envelope.Namespace != signatureNamespace || envelope.HashAlg != signatureHash || signature.Format == ssh.KeyAlgoRSA {
		return nil, invalid
	}
	if key.Verify(signedBytes(message), &signature) != nil {
		return nil, invalid
	}
	return key, nil
}

// AllowedSigners are the keys whose archives are imported, by their wire format, with the names that a file gives them.
type AllowedSigners map[string]string

// ReadAllowedSigners reads a file in the format ALLOWED SIGNERS of ssh-keygen: names, options, type and key on a line. Of
// the options it knows namespaces; a line with another option, such as cert-authority or valid-before, is an error.
func ReadAllowedSigners(name string) (AllowedSigners, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	signers := AllowedSigners{}
	for n, line := range strings.Split(string(b), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		principals, rest, _ := strings.Cut(line, " ")
		key, _, options, _, err := ssh.ParseAuthorizedKey([]byte(rest))
		if err != nil {
			return nil, fmt.Errorf("invalid line %d of %s: write names, the type of a key, and the key", n+1, name)
		}
		allowed := true
		for _, option := range options {
			list, ok := strings.CutPrefix(strings.ToLower(option), "namespaces=")
			if !ok {
				return nil, fmt.Errorf("unsupported option in line %d of %s: %s; use namespaces only", n+1, name, option)
			}
			allowed = slices.Contains(strings.Split(strings.Trim(list, `"`), ","), signatureNamespace)
		}
		if allowed {
			signers[string(key.Marshal())] = principals
		}
	}
	return signers, nil
}

// checkSigner checks the signature of the archive's manifest. It returns the fingerprint of the key, or "" if the archive is
// not signed, and the names of the key among the allowed signers.
func (a *Archive) checkSigner(manifest []byte, allowed AllowedSigners) (fingerprint, names string, err error) {
	armored, err := readFile(a.zip, signatureName, maxSignatureBytes)
	if missing := new(Error); errors.As(err, &missing) && a.zipHas(signatureName) {
		return "", "", err
	} else if err != nil {
		if allowed != nil {
			return "", "", damaged("it is not signed; import it without a list of allowed signers if you trust where it comes from")
		}
		return "", "", nil
	}
	key, err := verifySignature(manifest, armored)
	if err != nil {
		return "", "", err
	}
	fingerprint = ssh.FingerprintSHA256(key)
	names, known := allowed[string(key.Marshal())]
	if allowed != nil && !known {
		return "", "", damaged("the key that signed it is not an allowed signer: %s", fingerprint)
	}
	return fingerprint, names, nil
}

func (a *Archive) zipHas(name string) bool {
	for _, f := range a.zip.File {
		if f.Name == name {
			return true
		}
	}
	return false
}
